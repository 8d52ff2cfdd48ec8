// Where a process looks for files, and who labels it: what a caller must have in common with us.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "backend/descriptor.h"

namespace nlsh {

struct Place {
    // Of mnt and user; the root's device, inode and mount, which is another one in each mount
    // namespace, and its number (shim/wire/root.h). 0: can't be told.
    enum { mounts, user, root_device, root_inode, root_mount, root_number, count };
    std::array<uint64_t, count> identity{};
    std::string label;  // of a Linux security module
    bool operator==(const Place&) const = default;
    bool has_root_mount_of(const Place& other) const;
};

// Thread-safe. Looks at processes by /proc, and where the kernel gives namespaces by a pidfd (since
// Linux 6.11), by that: a third less for a process that nobody has looked at before.
class Places {
  public:
    // by_proc: by /proc alone, as older kernels have it.
    explicit Places(bool by_proc);
    const Place& own() const { return own_; }
    // A pidfd and a root's number are all that can be told of a process: there are no labels, and
    // it isn't looked at by /proc alone.
    bool pidfds_tell_enough() const { return !by_proc_ && !labelled_; }
    bool is_own_user_namespace(const Descriptor& process) const;
    // The same by whatever way there is, of a process with this number.
    bool is_own_user_namespace(const Descriptor& process, pid_t pid) const;
    bool has_own_label(pid_t pid) const;
    // proc: "/proc/PID"; process: a pidfd of it, or none.
    Place of(const std::string& proc, const Descriptor& process) const;

  private:
    using Held = std::array<Descriptor, 2>;

    static Held hold_own_namespaces();
    // 0: this kernel doesn't tell, or the process is gone.
    static uint64_t namespace_by_pidfd(const Descriptor& process, size_t which);
    // 0: it is gone.
    uint64_t namespace_of(const std::string& proc, const Descriptor& process, size_t which) const;
    // own: none while it is looked for.
    Place look(const std::string& proc, const Descriptor& process, const Place* own) const;

    const bool by_proc_;
    const bool labelled_;  // a Linux security module gives labels
    // A namespace's file is made by who opens it first, and goes with the last who has it open:
    // while we hold our own, looking at a process that shares them takes a third less.
    const Held held_;
    const Place own_;
};

}  // namespace nlsh
