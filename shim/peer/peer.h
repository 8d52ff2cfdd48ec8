// Decides whether the server may act for a calling process as for itself.
#pragma once

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

// Thread-safe. A peer passes if its own `ip` would have the server's rights and see the server's
// files: uid 0 throughout; the server's own set of line_capabilities, now and after an exec; no
// seccomp filter; the server's security label, user namespace, mounts and root. Uid and
// capabilities are checked in each call. Checks that read /proc are cached for 100 ms, while the
// process is known to live.
class PeerCheck {
  public:
    static constexpr std::chrono::milliseconds remembered{100};
    using Clock = std::chrono::steady_clock;

    // by_proc: see Places.
    explicit PeerCheck(bool by_proc = false);
    const Places& places() const { return places_; }
    // Empty: the sender of the connection's request made the connection and passes. Otherwise the
    // reason. `now`: the time for which cached results count.
    std::string refusal(const Connection& connection, Clock::time_point now = Clock::now());
    // The same for a process that asks in place of an exec, with this root (shim/wire/root.h).
    // Nothing cached of the process counts; if it has its parent's memory, the parent's cached
    // result counts.
    std::string exec_refusal(const Connection& connection, uint64_t root, Clock::time_point now);
    // Like refusal(), for a process that doesn't call, by its number in our pid namespace. The
    // reason is detailed.
    std::string judge(pid_t pid) const;
    // Caches the name of a process that is served without having passed.
    void learn_name(pid_t pid);
    // The cached name of a process that has passed; empty: it isn't cached.
    std::string name(pid_t pid);
    // Evicts expired entries and closes their descriptors.
    void forget();

  private:
    struct Verified {
        Descriptor process;  // a pidfd: while it is open, the pid isn't reused
        Descriptor
            mounts;  // its mountinfo, for poll(2) on changes, if its mount namespace isn't ours
        Clock::time_point when;
        uint64_t root;  // shim/wire/root.h
    };
    // Why a process with this status isn't served; empty: it is.
    std::string status_refusal(const std::string& status) const;
    bool has_capabilities(pid_t pid) const;
    // nullopt: the process sees other files than we do. Its mountinfo, if it is in another mount
    // namespace with the same mounts.
    std::optional<Descriptor> same_files(const std::string& proc, Place place) const;
    // For a refused process: which of its capabilities differ from ours.
    std::string other_capabilities(const std::string& status) const;
    std::string other_place(const Place& place) const;
    bool remembers(pid_t pid, Clock::time_point now);
    // The root of a process that has passed lately and lives.
    std::optional<uint64_t> known_root(pid_t pid, Clock::time_point now);
    void forget_before(Clock::time_point now);
    // Makes all checks; the error says which one failed.
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
    // By the number's remainder: a fixed number of entries, so that clients cost no memory.
    std::array<Name, 1024> names_{};
};

}  // namespace nlsh
