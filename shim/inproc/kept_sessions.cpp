#include "shim/inproc/kept_sessions.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <new>
#include <utility>

namespace nlsh {
namespace {

enum State { unused, busy, idle };  // unused: zeroed memory

}  // namespace

// Called again if the channel breaks: a new socket replaces the old one.
std::expected<Channel, int> KeptSessions::open(Slot& slot, bool strict) {
    if (!strict) {
        slot.others = true;
        return Channel::open(strict);
    }
    if (slot.kept.number >= 0) close(std::exchange(slot.kept.number, -1));
    auto low = Channel::socket();
    if (!low) return std::unexpected(low.error());
    slot.kept.number = kept_copy(*low);
    close(*low);
    if (slot.kept.number < 0) {  // no room to keep another one
        slot.others = true;
        return Channel::open(strict);
    }
    slot.kept.cookie = socket_cookie(slot.kept.number);
    return Channel(Channel::transport_over(slot.kept.number, strict));
}

// ours: the socket's number still refers to the socket.
void KeptSessions::drop(Slot& slot, bool ours) {
    delete slot.session;  // without closing the socket
    if (ours && slot.kept.number >= 0) close(slot.kept.number);
    thread_netns_close(&slot.kept.netns);
    slot.state = unused;
}

// A link's thread is in its process. Other threads may be a parent's, with whom a vfork shares
// this.
bool KeptSessions::inherited(const Slot& slot, uint64_t thread) {
    return slot.kept.netns.thread != thread && slot.kept.owner != getpid();
}

KeptSessions::Slot* KeptSessions::take(bool unmoved) {
    const uint64_t thread = unmoved ? 0 : static_cast<uint64_t>(gettid());
    for (Slot& slot : slots_) {
        int wanted = idle;
        if (slot.state != idle || !slot.state.compare_exchange_strong(wanted, busy)) continue;
        if (!unmoved && inherited(slot, thread)) {
            slot.state = idle;
            continue;
        }
        const bool ours = kept_socket_is_ours(&slot.kept);
        const bool usable = ours && (unmoved ? kept_socket_is_recent(&slot.kept)
                                             : kept_socket_is_usable(&slot.kept, thread));
        if (usable) return &slot;
        drop(slot, ours);
    }
    return nullptr;
}

KeptSessions::Slot* KeptSessions::reserve() {
    const int64_t now = kept_now_ms();
    const int64_t before = last_call_.exchange(now);
    if (before == 0 || now - before > NLSH_BURST_MS) return nullptr;
    for (Slot& slot : slots_) {
        int wanted = unused;
        if (!slot.state.compare_exchange_strong(wanted, busy)) continue;
        slot.kept.number = -1;
        slot.kept.used = now;
        slot.others = false;
        slot.kept_before = false;
        slot.session = new (std::nothrow)
            Session(Session::Threads::none, [&slot](bool strict) { return open(slot, strict); });
        if (slot.session != nullptr) return &slot;
        slot.state = unused;
        break;
    }
    return nullptr;
}

bool KeptSessions::keep(Slot& slot) {
    if (slot.kept.number < 0 || slot.kept.cookie == 0 || slot.others) return false;
    if (!slot.kept_before) {
        if (!thread_netns_open(&slot.kept.netns, static_cast<uint64_t>(gettid()))) return false;
        slot.kept.owner = getpid();
        slot.kept_before = true;
    }
    slot.state = idle;
    return true;
}

KeptSessions::~KeptSessions() {
    for (Slot& slot : slots_)
        if (slot.state == idle) drop(slot, kept_socket_is_ours(&slot.kept));
}

KeptSessions::Lease::Lease(KeptSessions& owner, bool unmoved) : slot_(owner.take(unmoved)) {
    if (slot_ == nullptr) slot_ = owner.reserve();
    if (slot_ == nullptr) own_.emplace();
}

KeptSessions::Lease::~Lease() {
    if (slot_ != nullptr && !keep(*slot_)) drop(*slot_, true);
}

}  // namespace nlsh
