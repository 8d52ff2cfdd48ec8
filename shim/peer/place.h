// Where a process looks for files, and its security label: a caller must share both with the
// server.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "backend/descriptor.h"

namespace nlsh {

struct Place {
    // The namespaces mnt and user; the root's device, inode and mount, which differs in each mount
    // namespace, and its number (shim/wire/root.h). 0: unknown.
    enum { mounts, user, root_device, root_inode, root_mount, root_number, count };
    std::array<uint64_t, count> identity{};
    std::string label;  // from a Linux security module
    bool operator==(const Place&) const = default;
    bool has_root_mount_of(const Place& other) const;
};

// Thread-safe. Inspects processes by /proc, and by pidfds if the kernel gives namespaces by them
// (since Linux 6.11): a third cheaper for a new process.
class Places {
  public:
    // by_proc: by /proc only, as on older kernels.
    explicit Places(bool by_proc);
    const Place& own() const { return own_; }
    // Whether a pidfd and a root's number say everything: there are no labels, and pidfds may be
    // used.
    bool pidfds_tell_enough() const { return !by_proc_ && !labelled_; }
    bool is_own_user_namespace(const Descriptor& process) const;
    // The same, by any available way, for a process with this number.
    bool is_own_user_namespace(const Descriptor& process, pid_t pid) const;
    bool has_own_label(pid_t pid) const;
    // proc: "/proc/PID"; process: a pidfd of it, or none.
    Place of(const std::string& proc, const Descriptor& process) const;

  private:
    using Held = std::array<Descriptor, 2>;

    static Held hold_own_namespaces();
    // 0: the kernel can't tell, or the process has gone.
    static uint64_t namespace_by_pidfd(const Descriptor& process, size_t which);
    // 0: the process has gone.
    uint64_t namespace_of(const std::string& proc, const Descriptor& process, size_t which) const;
    // own: our own place; null while it is being found.
    Place look(const std::string& proc, const Descriptor& process, const Place* own) const;

    const bool by_proc_;
    const bool labelled_;  // a Linux security module gives labels
    // The first opener creates a namespace's file, and the last closer removes it: while we hold
    // our own, inspecting a process that shares them costs a third less.
    const Held held_;
    const Place own_;
};

}  // namespace nlsh
