#include "shim/server/peer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "backend/read_file.h"
#include "shim/server/mounts.h"
#include "shim/server/rights.h"

namespace nlsh {
namespace {

constexpr size_t remembered_max = 256;
constexpr size_t largest = 1 << 20;  // of the files of /proc that are looked at

bool alive(const Descriptor& process) {
    pollfd wait{process.get(), POLLIN, 0};
    return poll(&wait, 1, 0) == 0;
}

// The status begins with "Name:\tNAME\n".
std::string name_of(const std::string& status) {
    const size_t start = std::min(status.find('\t'), status.size() - 1) + 1;
    return status.substr(start, status.find('\n', start) - start);
}

}  // namespace

PeerCheck::PeerCheck(bool by_proc)
    : places_(by_proc),
      own_capabilities_(process_rights(read_file("/proc/thread-self/status", largest)).effective &
                        line_capabilities) {}

bool PeerCheck::sees_our_files(const std::string& proc, Place place) const {
    const Place& own = places_.own();
    if (place.identity[0] == 0) return false;
    if (place == own) return true;
    const bool mounts_differ = place.identity[0] != own.identity[0];
    place.identity[0] = own.identity[0];
    return mounts_differ && place == own &&
           same_mounts(read_file("/proc/self/mountinfo", largest),
                       read_file(proc + "/mountinfo", largest));
}

std::string PeerCheck::status_refusal(const std::string& status) const {
    const ProcessRights peer = process_rights(status);
    if (!peer.root) return "peer is not root";
    if (peer.seccomp) return "peer is under seccomp";
    if ((peer.effective & line_capabilities) != own_capabilities_ ||
        (peer.after_exec & line_capabilities) != own_capabilities_) {
        return "peer has other capabilities";
    }
    return {};
}

std::string PeerCheck::other_capabilities(const std::string& status) const {
    static constexpr std::pair<int, const char*> names[] = {{CAP_NET_ADMIN, "CAP_NET_ADMIN"},
                                                            {CAP_SYS_ADMIN, "CAP_SYS_ADMIN"},
                                                            {CAP_SYS_MODULE, "CAP_SYS_MODULE"}};
    const ProcessRights peer = process_rights(status);
    std::string text;
    for (const auto& [number, name] : names) {
        const bool ours = (own_capabilities_ & capability(number)) != 0;
        const bool both = (peer.effective & peer.after_exec & capability(number)) != 0;
        const bool either = ((peer.effective | peer.after_exec) & capability(number)) != 0;
        if (ours && !both) text += fmt::format(", the server alone has {}", name);
        if (!ours && either) text += fmt::format(", the server lacks {}", name);
    }
    return text;
}

std::string PeerCheck::other_place(const Place& place) const {
    static constexpr std::array<const char*, 4> names{"mount namespace", "user namespace",
                                                      "UTS namespace", "IPC namespace"};
    const Place& own = places_.own();
    std::string text;
    const auto differs = [&text](const char* name) {
        text += fmt::format("{}{}", text.empty() ? "" : ", ", name);
    };
    for (size_t i = 0; i < names.size(); ++i)
        if (place.identity[i] != own.identity[i]) differs(names[i]);
    if (place.identity[4] != own.identity[4] || place.identity[5] != own.identity[5])
        differs("root directory");
    if (place.label != own.label) differs("security context");
    return text;
}

std::string PeerCheck::judge(pid_t pid) const {
    const std::string proc = fmt::format("/proc/{}", pid);
    const std::string status = read_file(proc + "/status", largest);
    if (status.empty()) return "there is no such process";
    if (const std::string reason = status_refusal(status); !reason.empty())
        return reason + other_capabilities(status);
    const Place place = places_.of(proc, Descriptor());
    if (!sees_our_files(proc, place)) return "peer is in another " + other_place(place);
    return {};
}

// 0.4 us, where its /proc/PID/status takes 30.
bool PeerCheck::has_capabilities(pid_t pid) const {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, pid};
    __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3]{};
    if (syscall(SYS_capget, &header, data) != 0) return false;
    const uint64_t effective = data[0].effective | (uint64_t{data[1].effective} << 32);
    return (effective & line_capabilities) == own_capabilities_;
}

std::string PeerCheck::refusal(const Connection& connection, Look look, Clock::time_point now) {
    const ucred& peer = connection.sender();
    if (peer.uid != 0) return "peer is not root";
    if (peer.pid <= 0) return "peer is in another pid namespace";
    const bool known =
        look == Look::remembered && recently_verified(peer.pid, now) && has_capabilities(peer.pid);
    return known ? std::string() : verify(connection, peer.pid, look);
}

bool PeerCheck::recently_verified(pid_t pid, Clock::time_point now) {
    const std::lock_guard lock(mutex_);
    const auto found = verified_.find(pid);
    if (found == verified_.end()) return false;
    return now - found->second.when < remembered && alive(found->second.process);
}

std::string PeerCheck::verify(const Connection& connection, pid_t pid, Look look) {
    Descriptor process = connection.open_peer();
    if (!process) return "peer is gone";
    const std::string proc = fmt::format("/proc/{}", pid);
    const std::string status = read_file(proc + "/status", largest);
    if (std::string reason = status_refusal(status); !reason.empty()) return reason;
    if (!sees_our_files(proc, places_.of(proc, process))) {
        return "peer is in another mount, user, UTS or IPC namespace, root or security context";
    }
    if (!alive(process)) return "peer is gone";  // what we read may have been another's
    const std::lock_guard lock(mutex_);
    if (look == Look::remembered) remember(std::move(process), pid);
    remember_name(pid, status);
    return {};
}

// With the mutex held, as the two below.
void PeerCheck::remember(Descriptor process, pid_t pid) {
    const auto now = Clock::now();
    forget_before(now);
    if (verified_.size() >= remembered_max) verified_.clear();
    verified_.insert_or_assign(pid, Verified{std::move(process), now});
}

void PeerCheck::remember_name(pid_t pid, const std::string& status) {
    Name& name = names_[static_cast<size_t>(pid) % names_.size()];
    name = {.pid = pid};
    name_of(status).copy(name.text.data(), name.text.size() - 1);
}

void PeerCheck::forget_before(Clock::time_point now) {
    std::erase_if(verified_, [&](auto& entry) { return now - entry.second.when > remembered; });
}

void PeerCheck::forget() {
    const std::lock_guard lock(mutex_);
    forget_before(Clock::now());
}

std::string PeerCheck::name(pid_t pid) {
    const std::lock_guard lock(mutex_);
    const Name& known = names_[static_cast<size_t>(pid) % names_.size()];
    return known.pid == pid ? known.text.data() : std::string();
}

}  // namespace nlsh
