#include "shim/server/sessions.h"

#include <algorithm>

namespace nlsh {

Sessions::Lease::Lease(Sessions& owner, uint64_t netns, std::unique_ptr<Entry> entry)
    : owner_(owner), netns_(netns), entry_(std::move(entry)) {
    // Netlink sockets are made, and /proc/sys/net is opened, in the namespace of the thread.
    if (entry_->netns) {
        guard_ = std::make_unique<NetnsGuard>(entry_->netns.get(), owner.home_.get());
    }
}

Sessions::Lease::~Lease() {
    guard_.reset();
    owner_.give_back(netns_, std::move(entry_));
}

Sessions::Sessions() : closer_([this] { close_idle(); }) {}

Sessions::~Sessions() {
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    foreign_.notify_all();
    closer_.join();
}

std::unique_ptr<Sessions::Lease> Sessions::lease(int socket, uint64_t netns) {
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
        entry = std::make_unique<Entry>();
        if (netns != own_) {
            entry->netns = open_netns_of(socket);
            if (!entry->netns) return nullptr;
        }
    }
    auto lease = std::make_unique<Lease>(*this, netns, std::move(entry));
    if (!lease->entered()) return nullptr;
    return lease;
}

void Sessions::give_back(uint64_t netns, std::unique_ptr<Entry> entry) {
    bool wake = false;
    {
        const std::lock_guard lock(mutex_);
        // Closed after the lock is gone:
        if (entry->netns && foreign_count_ >= foreign_max) return;
        auto& idle = idle_[netns];
        if (idle.size() >= idle_max) return;
        if (entry->netns) {
            ++foreign_count_;
            entry->idle_since = std::chrono::steady_clock::now();
            wake = std::exchange(closer_asleep_, false);
        }
        idle.push_back(std::move(entry));
    }
    if (wake) foreign_.notify_one();
}

size_t Sessions::foreign_idle() {
    const std::lock_guard lock(mutex_);
    size_t count = 0;
    for (const auto& [netns, entries] : idle_) {
        if (netns != own_) count += entries.size();
    }
    return count;
}

// Sleeps until a foreign session is idle, then looks again every half limit while there is one.
void Sessions::close_idle() {
    std::unique_lock lock(mutex_);
    while (!stop_) {
        const auto limit = std::chrono::steady_clock::now() - idle_limit;
        bool waiting = false;
        std::vector<std::unique_ptr<Entry>> closing;  // closed without the lock
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
        if (!closing.empty()) {
            lock.unlock();
            closing.clear();
            lock.lock();
            continue;
        }
        if (waiting) {
            foreign_.wait_for(lock, idle_limit / 2, [this] { return stop_; });
        } else {
            closer_asleep_ = true;
            foreign_.wait(lock, [this] { return stop_ || !closer_asleep_; });
        }
    }
}

}  // namespace nlsh
