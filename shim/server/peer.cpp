#include "shim/server/peer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/capability.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <array>
#include <cstdlib>
#include <string_view>

#include "shim/server/mounts.h"

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

namespace nlsh {
namespace {

constexpr size_t remembered_max = 256;

// Before Linux 6.5 by the number: the peer waits for us, so it lives, or its answer is lost anyway.
Descriptor open_process(int socket, pid_t pid) {
    int process = -1;
    socklen_t size = sizeof process;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERPIDFD, &process, &size) == 0) {
        return Descriptor(process);
    }
    return Descriptor(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
}

bool alive(const Descriptor& process) {
    pollfd wait{process.get(), POLLIN, 0};
    return poll(&wait, 1, 0) == 0;
}

// Files of /proc. More than `largest`: nothing.
std::string read_file(const std::string& path) {
    constexpr size_t largest = 1 << 20;
    const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    std::string text;
    std::array<char, 8192> part;
    ssize_t got = 0;
    while (text.size() < largest && (got = read(file.get(), part.data(), part.size())) > 0)
        text.append(part.data(), static_cast<size_t>(got));
    return got == 0 ? text : std::string();
}

// The rest of the line that starts with `name`.
std::string_view field(std::string_view text, std::string_view name) {
    const size_t at = text.find(name);
    if (at == std::string_view::npos) return {};
    const size_t start = at + name.size();
    return text.substr(start, text.find('\n', start) - start);
}

}  // namespace

PeerCheck::PeerCheck() : own_(place_of("/proc/self")) {}

PeerCheck::Place PeerCheck::place_of(const std::string& proc) {
    struct stat mount, user, root;
    if (stat((proc + "/ns/mnt").c_str(), &mount) != 0 ||
        stat((proc + "/ns/user").c_str(), &user) != 0 ||
        stat((proc + "/root/").c_str(), &root) != 0) {
        return {};
    }
    return {mount.st_ino, user.st_ino, root.st_dev, root.st_ino};
}

std::string PeerCheck::status_refusal(const std::string& proc) {
    const std::string status = read_file(proc + "/status");
    if (field(status, "\nUid:") != "\t0\t0\t0\t0") return "peer is not root";
    const std::string effective(field(status, "\nCapEff:\t"));
    const uint64_t bits = std::strtoull(effective.c_str(), nullptr, 16);
    if ((bits & (1ULL << CAP_NET_ADMIN)) == 0) return "peer has no CAP_NET_ADMIN";
    return {};
}

bool PeerCheck::sees_our_files(const std::string& proc) const {
    Place place = place_of(proc);
    if (place == own_) return true;
    const bool mounts_differ = place.mount_namespace != own_.mount_namespace;
    place.mount_namespace = own_.mount_namespace;
    return mounts_differ && place == own_ &&
           same_mounts(read_file("/proc/self/mountinfo"), read_file(proc + "/mountinfo"));
}

std::string PeerCheck::refusal(int socket) {
    ucred peer{};
    socklen_t size = sizeof peer;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return "no credentials";
    if (peer.uid != 0) return "peer is not root";
    if (peer.pid <= 0) return "peer is in another pid namespace";
    return recently_verified(peer.pid) ? std::string() : verify(socket, peer.pid);
}

bool PeerCheck::recently_verified(pid_t pid) {
    const std::lock_guard lock(mutex_);
    const auto found = verified_.find(pid);
    if (found == verified_.end()) return false;
    return std::chrono::steady_clock::now() - found->second.when < remembered &&
           alive(found->second.process);
}

std::string PeerCheck::verify(int socket, pid_t pid) {
    Descriptor process = open_process(socket, pid);
    if (!process) return "peer is gone";
    const std::string proc = fmt::format("/proc/{}", pid);
    if (std::string reason = status_refusal(proc); !reason.empty()) return reason;
    if (!sees_our_files(proc)) return "peer is in another mount or user namespace or root";
    if (!alive(process)) return "peer is gone";  // what we read may have been another's
    const auto now = std::chrono::steady_clock::now();
    const std::lock_guard lock(mutex_);
    if (verified_.size() >= remembered_max) {
        std::erase_if(verified_, [&](auto& entry) { return now - entry.second.when > remembered; });
        if (verified_.size() >= remembered_max) verified_.clear();
    }
    verified_.insert_or_assign(pid, Verified{std::move(process), now});
    return {};
}

}  // namespace nlsh
