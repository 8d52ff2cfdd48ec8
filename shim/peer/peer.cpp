#include "shim/peer/peer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "backend/read_file.h"
#include "shim/confine/rights.h"
#include "shim/peer/mounts.h"
#include "shim/peer/shared_memory.h"
#include "shim/process/pidfd_calls.h"
#include "shim/rights/exec_rights.h"

namespace nlsh {
namespace {

constexpr size_t remembered_max = 256;
constexpr size_t largest = 1 << 20;  // the most that is read of a file of /proc

// Whether something was mounted or unmounted since this mountinfo was opened or last checked.
bool mounts_changed(const Descriptor& mounts) {
    pollfd wait{mounts.get(), POLLPRI, 0};
    return poll(&wait, 1, 0) != 0;
}

Descriptor open_mounts(const std::string& proc) {
    return open_file((proc + "/mountinfo").c_str());
}

// Checks that don't need the process.
std::string sender_refusal(const ucred& sender) {
    if (sender.uid != 0) return "peer is not root";
    return sender.pid > 0 ? std::string() : "peer is in another pid namespace";
}

// The status begins with "Name:\tNAME\n".
std::string name_of(const std::string& status) {
    const size_t start = std::min(status.find('\t'), status.size() - 1) + 1;
    return status.substr(start, status.find('\n', start) - start);
}

// nullopt: the process has gone.
std::optional<exec_rights> rights_of(const std::string& status) {
    exec_rights rights{};
    if (!exec_rights_of_status(status.c_str(), &rights)) return {};
    return rights;
}

bool is_root(const exec_ids& user) {
    return user.real == 0 && user.effective == 0 && user.saved == 0 && user.files == 0;
}

bool is_filtered(const std::string& status) {
    return !status.contains("\nSeccomp:\t0\n");
}

uint64_t own_line_capabilities() {
    const auto own = rights_of(read_file("/proc/thread-self/status", largest));
    return own ? own->effective & line_capabilities : 0;
}

}  // namespace

PeerCheck::PeerCheck(bool by_proc)
    : places_(by_proc),
      own_mounts_(open_mounts("/proc/self")),
      own_capabilities_(own_line_capabilities()) {}

// Open the file before reading: a mount in between then counts as a change.
std::optional<Descriptor> PeerCheck::same_files(const std::string& proc, Place place) const {
    const Place& own = places_.own();
    if (place.identity[Place::mounts] == 0) return {};
    if (place == own) return Descriptor();
    const bool mounts_differ = place.identity[Place::mounts] != own.identity[Place::mounts];
    for (const auto of_mounts : {Place::mounts, Place::root_mount, Place::root_number})
        place.identity[of_mounts] = own.identity[of_mounts];
    if (!mounts_differ || place != own) return {};
    Descriptor mounts = open_mounts(proc);
    if (!same_mounts(read_file("/proc/self/mountinfo", largest), read_all(mounts, largest)))
        return {};
    return mounts;
}

std::string PeerCheck::status_refusal(const std::string& status) const {
    const auto peer = rights_of(status);
    if (!peer) return "peer is gone";
    if (!is_root(peer->user)) return "peer is not root";
    if (is_filtered(status)) return "peer is under seccomp";
    if ((peer->effective & line_capabilities) != own_capabilities_)
        return "peer has other capabilities";
    const char* change = exec_rights_change(&*peer, nullptr, EXEC_IP);
    return change == nullptr ? "" : fmt::format("peer: {}", change);
}

std::string PeerCheck::other_capabilities(const std::string& status) const {
    static constexpr std::pair<int, const char*> names[] = {{CAP_NET_ADMIN, "CAP_NET_ADMIN"},
                                                            {CAP_SYS_ADMIN, "CAP_SYS_ADMIN"},
                                                            {CAP_SYS_MODULE, "CAP_SYS_MODULE"}};
    const auto peer = rights_of(status);
    std::string text;
    for (const auto& [number, name] : names) {
        const bool ours = (own_capabilities_ & capability(number)) != 0;
        const bool theirs = peer && (peer->effective & capability(number)) != 0;
        if (ours && !theirs) text += fmt::format(", the server alone has {}", name);
        if (!ours && theirs) text += fmt::format(", the server lacks {}", name);
    }
    return text;
}

std::string PeerCheck::other_place(const Place& place) const {
    static constexpr std::array<const char*, 2> names{"mount namespace", "user namespace"};
    const Place& own = places_.own();
    std::string text;
    const auto differs = [&text](const char* name) {
        text += fmt::format("{}{}", text.empty() ? "" : ", ", name);
    };
    for (size_t i = 0; i < names.size(); ++i)
        if (place.identity[i] != own.identity[i]) differs(names[i]);
    const bool same_mounts = place.identity[Place::mounts] == own.identity[Place::mounts];
    if (place.identity[Place::root_device] != own.identity[Place::root_device] ||
        place.identity[Place::root_inode] != own.identity[Place::root_inode] ||
        (same_mounts && place.identity[Place::root_number] != own.identity[Place::root_number]))
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
    if (!same_files(proc, place)) return "peer is in another " + other_place(place);
    return {};
}

bool PeerCheck::has_capabilities(pid_t pid) const {
    return (effective_capabilities(pid) & line_capabilities) == own_capabilities_;
}

std::string PeerCheck::refusal(const Connection& connection, Clock::time_point now) {
    const ucred& peer = connection.sender();
    if (std::string reason = sender_refusal(peer); !reason.empty()) return reason;
    if (known_root(peer.pid, now) && has_capabilities(peer.pid)) return {};
    auto verified = verify(connection.open_peer(), peer.pid);
    if (!verified) return verified.error();
    remember(*std::move(verified), peer.pid);
    return {};
}

std::string PeerCheck::exec_refusal(const Connection& connection, uint64_t root,
                                    Clock::time_point now) {
    const ucred& peer = connection.sender();
    if (std::string reason = sender_refusal(peer); !reason.empty()) return reason;
    Descriptor process = connection.open_peer();
    if (passes_with_parent(process, peer.pid, root, now)) return {};
    const auto verified = verify(std::move(process), peer.pid);
    return verified ? std::string() : verified.error();
}

// A process with its parent's memory can make the parent do anything that the parent may. So it is
// served as its parent; SECURITY.md says what the process must check itself.
bool PeerCheck::passes_with_parent(const Descriptor& process, pid_t pid, uint64_t root,
                                   Clock::time_point now) {
    const pid_t parent = root != 0 && places_.pidfds_tell_enough() ? parent_of(process) : 0;
    if (parent == 0) return false;
    // The parent was known before the comparison and lives after it, so its number wasn't reused.
    const bool known = remembers(parent, now);
    if (!share_memory(pid, parent)) return false;
    if (!known && !(remember_passing(parent) && share_memory(pid, parent))) return false;
    if (known_root(parent, now) != root || !has_capabilities(parent)) return false;
    if (!has_capabilities(pid) || !places_.is_own_user_namespace(process)) return false;
    if (!is_alive(process)) return false;
    remember_name(pid, name(parent));
    return true;
}

bool PeerCheck::remember_passing(pid_t pid) {
    auto verified = verify(open_process(pid), pid);
    if (!verified) return false;
    remember(*std::move(verified), pid);
    return true;
}

bool PeerCheck::remembers(pid_t pid, Clock::time_point now) {
    const std::lock_guard lock(mutex_);
    const auto found = verified_.find(pid);
    return found != verified_.end() && now - found->second.when < remembered;
}

std::optional<uint64_t> PeerCheck::known_root(pid_t pid, Clock::time_point now) {
    const std::lock_guard lock(mutex_);
    const auto found = verified_.find(pid);
    if (found == verified_.end()) return {};
    const Verified& entry = found->second;
    if (now - entry.when >= remembered || !is_alive(entry.process)) return {};
    if (!entry.mounts) return entry.root;
    // poll() reports a change once: forget everything that it makes doubtful now.
    if (mounts_changed(own_mounts_))
        std::erase_if(verified_, [](const auto& each) { return bool(each.second.mounts); });
    else if (mounts_changed(entry.mounts))
        verified_.erase(found);
    else
        return entry.root;
    return {};
}

auto PeerCheck::verify(Descriptor process, pid_t pid) -> std::expected<Verified, std::string> {
    if (!process) return std::unexpected("peer is gone");
    const std::string proc = fmt::format("/proc/{}", pid);
    const std::string status = read_file(proc + "/status", largest);
    if (std::string reason = status_refusal(status); !reason.empty())
        return std::unexpected(std::move(reason));
    const Place place = places_.of(proc, process);
    auto mounts = same_files(proc, place);
    if (!mounts) {
        return std::unexpected(
            "peer is in another mount or user namespace, root or security context");
    }
    // The data may be another process's.
    if (!is_alive(process)) return std::unexpected("peer is gone");
    remember_name(pid, name_of(status));
    return Verified{std::move(process), *std::move(mounts), Clock::now(),
                    place.identity[Place::root_number]};
}

void PeerCheck::remember(Verified verified, pid_t pid) {
    const std::lock_guard lock(mutex_);
    forget_before(verified.when);
    if (verified_.size() >= remembered_max) verified_.clear();
    verified_.insert_or_assign(pid, std::move(verified));
}

void PeerCheck::remember_name(pid_t pid, std::string_view name) {
    const std::lock_guard lock(mutex_);
    Name& entry = names_[static_cast<size_t>(pid) % names_.size()];
    entry = {.pid = pid};
    name.copy(entry.text.data(), entry.text.size() - 1);
}

// Call with the mutex held.
void PeerCheck::forget_before(Clock::time_point now) {
    std::erase_if(verified_, [&](auto& entry) { return now - entry.second.when > remembered; });
}

void PeerCheck::forget() {
    const std::lock_guard lock(mutex_);
    forget_before(Clock::now());
}

void PeerCheck::learn_name(pid_t pid) {
    if (!name(pid).empty()) return;
    std::string text = read_file(fmt::format("/proc/{}/comm", pid), largest);
    remember_name(pid, std::string_view(text).substr(0, text.find('\n')));
}

std::string PeerCheck::name(pid_t pid) {
    const std::lock_guard lock(mutex_);
    const Name& known = names_[static_cast<size_t>(pid) % names_.size()];
    return known.pid == pid ? known.text.data() : std::string();
}

}  // namespace nlsh
