#include "shim/inproc/kept_sessions.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <new>
#include <utility>

namespace nlsh {
namespace {

enum State { unused, busy, idle };  // unused: zeroed memory

constexpr int high = 100;         // programs expect the lowest numbers
constexpr int64_t burst_ms = 50;  // two calls within that time are the beginning of one
constexpr int64_t kept_ms = 100;  // not used for so long: its burst is over

// To a few milliseconds, by no system call.
int64_t now_ms() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return static_cast<int64_t>(now.tv_sec) * 1000 + now.tv_nsec / 1'000'000;
}

// Of no socket: 0.
uint64_t cookie_of(int socket) {
    uint64_t cookie = 0;
    socklen_t size = sizeof cookie;
    return getsockopt(socket, SOL_SOCKET, SO_COOKIE, &cookie, &size) == 0 ? cookie : 0;
}

}  // namespace

// Again when the channel has broken: a new socket takes the old one's place.
std::expected<Channel, int> KeptSessions::open(Slot& slot, bool strict) {
    if (!strict) {
        slot.others = true;
        return Channel::open(strict);
    }
    if (slot.socket >= 0) close(std::exchange(slot.socket, -1));
    auto low = Channel::socket();
    if (!low) return std::unexpected(low.error());
    slot.socket = fcntl(*low, F_DUPFD_CLOEXEC, high);
    const int error = errno;
    close(*low);
    if (slot.socket < 0) return std::unexpected(error);
    slot.cookie = cookie_of(slot.socket);
    return Channel(Channel::transport_over(slot.socket, strict));
}

bool KeptSessions::is_ours(const Slot& slot) {
    return cookie_of(slot.socket) == slot.cookie;
}

bool KeptSessions::usable(const Slot& slot, pid_t thread) {
    return now_ms() - slot.used < kept_ms && thread_netns_is_current(&slot.netns, thread);
}

// ours: the socket's number is still the socket's.
void KeptSessions::drop(Slot& slot, bool ours) {
    delete slot.session;  // leaves the socket alone
    if (ours && slot.socket >= 0) close(slot.socket);
    thread_netns_close(&slot.netns);
    slot.state = unused;
}

KeptSessions::Slot* KeptSessions::take() {
    const pid_t thread = gettid();
    for (Slot& slot : slots_) {
        int wanted = idle;
        if (slot.state != idle || !slot.state.compare_exchange_strong(wanted, busy)) continue;
        if (thread != slot.netns.thread && slot.owner != getpid()) {
            slot.state = idle;  // a parent's, with whom vfork shares this
            continue;
        }
        const bool ours = is_ours(slot);
        if (ours && usable(slot, thread)) return &slot;
        drop(slot, ours);
    }
    return nullptr;
}

KeptSessions::Slot* KeptSessions::reserve() {
    const int64_t now = now_ms();
    const int64_t before = last_call_.exchange(now);
    if (before == 0 || now - before > burst_ms) return nullptr;
    for (Slot& slot : slots_) {
        int wanted = unused;
        if (!slot.state.compare_exchange_strong(wanted, busy)) continue;
        slot.socket = -1;
        slot.others = false;
        slot.owner = 0;
        slot.session = new (std::nothrow)
            Session(Session::Threads::none, [&slot](bool strict) { return open(slot, strict); });
        if (slot.session != nullptr) return &slot;
        slot.state = unused;
        break;
    }
    return nullptr;
}

bool KeptSessions::keep(Slot& slot) {
    if (slot.socket < 0 || slot.cookie == 0 || slot.others) return false;
    if (slot.owner == 0 && !thread_netns_open(&slot.netns)) return false;
    slot.owner = slot.owner == 0 ? getpid() : slot.owner;
    slot.used = now_ms();
    slot.state = idle;
    return true;
}

KeptSessions::~KeptSessions() {
    for (Slot& slot : slots_)
        if (slot.state == idle) drop(slot, is_ours(slot));
}

KeptSessions::Lease::Lease(KeptSessions& owner) : slot_(owner.take()) {
    if (slot_ == nullptr) slot_ = owner.reserve();
}

KeptSessions::Lease::~Lease() {
    if (slot_ != nullptr && !keep(*slot_)) drop(*slot_, true);
}

}  // namespace nlsh
