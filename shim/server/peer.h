// Who calls: may the server act for this process as for itself?
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>

#include "shim/server/descriptor.h"

namespace nlsh {

// Thread-safe. A peer passes when its own `ip` would have had the server's rights and seen the
// server's files: uid 0 throughout, CAP_NET_ADMIN effective, the same user namespace and root,
// and a mount namespace with the same mounts. What takes reading /proc is remembered for as long as
// the process is known to live, 100 ms at most.
class PeerCheck {
  public:
    static constexpr std::chrono::milliseconds remembered{100};

    PeerCheck();
    // Empty when the peer of the accepted socket passes, else the reason.
    std::string refusal(int socket);

  private:
    struct Verified {
        Descriptor process;  // a pidfd: while it lives the pid can't be another's
        std::chrono::steady_clock::time_point when;
    };
    struct Place {  // where a process looks for files
        uint64_t mount_namespace = 0, user_namespace = 0, root_device = 0, root_inode = 0;
        bool operator==(const Place&) const = default;
    };
    static Place place_of(const std::string& proc);
    static std::string status_refusal(const std::string& proc);
    // By the same names; from another mount namespace, if its mounts are ours.
    bool sees_our_files(const std::string& proc) const;
    bool recently_verified(pid_t pid);
    std::string verify(int socket, pid_t pid);

    const Place own_;
    std::mutex mutex_;
    std::unordered_map<pid_t, Verified> verified_;
};

}  // namespace nlsh
