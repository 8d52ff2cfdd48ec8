// Who calls: may the server act for this process as for itself?
#pragma once

#include <sys/socket.h>
#include <sys/types.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <expected>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "backend/descriptor.h"
#include "shim/peer/connection.h"
#include "shim/peer/place.h"

namespace nlsh {

// Thread-safe. A peer passes when its own `ip` would have had the server's rights and seen the
// server's files: uid 0 throughout; of the capabilities that lines need just those that the server
// has, now and after an exec; no seccomp filter, no other security label; the same user and mount
// namespaces and root. Its uid and its capabilities are looked at in each call. The rest
// takes reading /proc, and is remembered for as long as the process is known to live, 100 ms at
// most.
class PeerCheck {
  public:
    static constexpr std::chrono::milliseconds remembered{100};
    using Clock = std::chrono::steady_clock;

    // by_proc: as Places has it.
    explicit PeerCheck(bool by_proc = false);
    const Places& places() const { return places_; }
    // Empty when the sender of the connection's request, who is who connected, passes; else the
    // reason. What is remembered of it counts at the time `now`.
    std::string refusal(const Connection& connection, Clock::time_point now = Clock::now());
    // The same of a process that asks in the place of an exec, with this root (shim/wire/root.h):
    // nothing is remembered of it, but what is of its parent counts when it has that one's memory.
    std::string exec_refusal(const Connection& connection, uint64_t root, Clock::time_point now);
    // As refusal(), of a process that doesn't call, by its number in our pid namespace; says in
    // detail what is different.
    std::string judge(pid_t pid) const;
    // Of a process that is served without having passed: its name, unless that is known.
    void learn_name(pid_t pid);
    // The name of a process that has passed; empty when that is forgotten.
    std::string name(pid_t pid);
    // Drops what is remembered too long to be used, and its descriptors.
    void forget();

  private:
    struct Verified {
        Descriptor process;  // a pidfd: while it lives the pid can't be another's
        Descriptor mounts;   // its mountinfo, which tells of changes, when it isn't our namespace's
        Clock::time_point when;
        uint64_t root;  // shim/wire/root.h
    };
    // Empty, or why a process with this status mustn't be served.
    std::string status_refusal(const std::string& status) const;
    bool has_capabilities(pid_t pid) const;
    // None: the process sees other files than we do. If it is in another mount namespace, with the
    // same mounts: its mountinfo.
    std::optional<Descriptor> same_files(const std::string& proc, Place place) const;
    // What of these two is other than ours, of a process that has been refused for it.
    std::string other_capabilities(const std::string& status) const;
    std::string other_place(const Place& place) const;
    bool remembers(pid_t pid, Clock::time_point now);
    // The root of a process that has passed lately and lives.
    std::optional<uint64_t> known_root(pid_t pid, Clock::time_point now);
    void forget_before(Clock::time_point now);
    // Looks at all of it; the error says why it doesn't pass.
    std::expected<Verified, std::string> verify(Descriptor process, pid_t pid);
    bool passes_with_parent(const Descriptor& process, pid_t pid, uint64_t root,
                            Clock::time_point now);
    bool remember_passing(pid_t pid);
    void remember(Verified verified, pid_t pid);
    void remember_name(pid_t pid, std::string_view name);

    const Places places_;
    const Descriptor own_mounts_;      // our mountinfo
    const uint64_t own_capabilities_;  // of line_capabilities
    std::mutex mutex_;
    std::unordered_map<pid_t, Verified> verified_;
    struct Name {
        pid_t pid = 0;  // 0: none
        std::array<char, 16> text{};
    };
    // By the number's remainder: as many as there will ever be, so that clients cost no memory.
    std::array<Name, 1024> names_{};
};

}  // namespace nlsh
