#include "shim/server/sessions.h"

#include <algorithm>
#include <cerrno>
#include <new>

#include "shim/journal/journaled.h"

namespace nlsh {

// A netlink socket belongs to the namespace in which it is made.
Sessions::Entry::Entry(const Descriptor& its_home)
    : home(its_home),
      session(
          Session::Threads::some, [this](bool strict) { return open(strict); },
          [this] {  // for work outside the sockets
              if (journal != nullptr) journal->lose_track();
              return enter();
          }) {}

std::expected<Channel, int> Sessions::Entry::open(bool strict) {
    if (!enter()) return std::unexpected(ENOMEM);
    auto transport = journaled_transport(strict, journal);
    if (!transport) return std::unexpected(transport.error());
    return Channel(std::move(*transport));
}

bool Sessions::Entry::enter() {
    if (netns && !guard) guard = std::make_unique<NetnsGuard>(netns.get(), home.get());
    return !guard || guard->entered();
}

Sessions::Lease::Lease(Sessions& owner, uint64_t netns, std::unique_ptr<Entry> entry)
    : owner_(owner), netns_(netns), entry_(std::move(entry)) {}

Sessions::Lease::~Lease() {
    leave();
    if (std::uncaught_exceptions() > exceptions_) return;  // the session's state is unknown
    entry_->journal = nullptr;
    try {
        owner_.give_back(netns_, std::move(entry_));
    } catch (const std::bad_alloc&) {  // the session is closed
    }
}

Sessions::Sessions(std::function<void()> at_rest, std::function<void()> in_use)
    : at_rest_(std::move(at_rest)), in_use_(std::move(in_use)), closer_([this] { close_idle(); }) {}

Sessions::~Sessions() {
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    changed_.notify_all();
    closer_.join();
}

std::unique_ptr<Sessions::Lease> Sessions::lease(uint64_t netns,
                                                 const std::function<Descriptor()>& open,
                                                 Journal* journal) {
    if (netns == 0) return nullptr;
    std::unique_ptr<Entry> entry;
    {
        const std::lock_guard lock(mutex_);
        if (const auto found = idle_.find(netns); found != idle_.end() && !found->second.empty()) {
            entry = std::move(found->second.back());
            found->second.pop_back();
            if (entry->netns) --foreign_count_;
        }
    }
    if (!entry) {
        entry = std::make_unique<Entry>(home_);
        if (netns != own_) {
            entry->netns = open();
            if (!entry->netns) return nullptr;
        }
    }
    entry->journal = journal;
    return std::make_unique<Lease>(*this, netns, std::move(entry));
}

void Sessions::give_back(uint64_t netns, std::unique_ptr<Entry> entry) {
    const auto now = std::chrono::steady_clock::now();
    bool wake = false;
    {
        const std::lock_guard lock(mutex_);
        last_ = now;
        resting_ = false;
        wake = std::exchange(closer_asleep_, false);
        // Closed after the lock is released:
        if (entry->netns && foreign_count_ >= foreign_max) return;
        auto& idle = idle_[netns];
        if (idle.size() >= idle_max) return;
        const bool foreign = static_cast<bool>(entry->netns);
        entry->idle_since = now;
        idle.push_back(std::move(entry));
        if (foreign) ++foreign_count_;
    }
    if (wake) changed_.notify_one();
}

size_t Sessions::foreign_idle() {
    const std::lock_guard lock(mutex_);
    size_t count = 0;
    for (const auto& [netns, entries] : idle_) {
        if (netns != own_) count += entries.size();
    }
    return count;
}

size_t Sessions::own_idle() {
    const std::lock_guard lock(mutex_);
    const auto found = idle_.find(own_);
    return found == idle_.end() ? 0 : found->second.size();
}

bool Sessions::collect_foreign(Entries& closing) {
    const auto limit = std::chrono::steady_clock::now() - idle_limit;
    bool waiting = false;
    for (auto at = idle_.begin(); at != idle_.end();) {
        auto& [netns, entries] = *at;
        if (netns == own_) {
            ++at;
            continue;
        }
        std::erase_if(entries, [&](std::unique_ptr<Entry>& entry) {
            if (entry->idle_since > limit) return false;
            closing.push_back(std::move(entry));
            --foreign_count_;
            return true;
        });
        waiting |= !entries.empty();
        at = entries.empty() ? idle_.erase(at) : std::next(at);
    }
    return waiting;
}

bool Sessions::collect_own(Entries& closing) {
    if (resting_) return false;
    if (last_ > std::chrono::steady_clock::now() - rest_limit) return true;
    resting_ = true;
    Entries& own = idle_[own_];
    while (own.size() > 1) {
        closing.push_back(std::move(own.back()));
        own.pop_back();
    }
    own.shrink_to_fit();
    return false;
}

// Sleeps until a lease ends. Then wakes every half limit, while a session may expire or callers are
// likely to come back.
void Sessions::close_idle() {
    std::unique_lock lock(mutex_);
    while (!stop_) {
        Entries closing;  // closed without the lock
        const bool foreign = collect_foreign(closing);
        const bool was_resting = resting_;
        const bool own = collect_own(closing);
        const bool rest = resting_ && !was_resting;
        if (rest || !closing.empty()) {
            lock.unlock();
            closing.clear();
            if (rest) at_rest_();
            lock.lock();
        } else if (foreign || own || lingers()) {
            changed_.wait_for(lock, foreign ? idle_limit / 2 : rest_limit / 2,
                              [this] { return stop_; });
            lock.unlock();
            in_use_();
            lock.lock();
        } else {
            closer_asleep_ = true;
            changed_.wait(lock, [this] { return stop_ || !closer_asleep_; });
        }
    }
}

}  // namespace nlsh
