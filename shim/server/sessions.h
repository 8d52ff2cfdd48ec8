// The persistent netlink sockets: a stock of sessions for each network namespace.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

#include "backend/context.h"
#include "backend/descriptor.h"
#include "shim/journal/journal.h"
#include "shim/netns/netns.h"

namespace nlsh {

// Thread-safe. A lease is used by one thread at a time and goes back to the stock at its end,
// unless an exception ends it. The thread enters a foreign namespace when a line needs it there
// (there and back take 4 us), and is back at the lease's end. Sockets pin their namespace: those of
// foreign ones are closed when they have been idle for `idle_limit`. Of the server's own namespace
// one stays when there was no lease for `rest_limit`.
class Sessions {
    struct Entry {
        explicit Entry(const Descriptor& home);
        bool enter();
        std::expected<Channel, int> open(bool strict);

        const Descriptor& home;
        Session session;
        Journal* journal = nullptr;         // of who has leased it
        Descriptor netns;                   // foreign only
        std::unique_ptr<NetnsGuard> guard;  // while it lives the thread is in the namespace
        std::chrono::steady_clock::time_point idle_since;
    };

  public:
    static constexpr std::chrono::milliseconds idle_limit{100};
    static constexpr std::chrono::milliseconds rest_limit{1000};
    static constexpr std::chrono::seconds linger{10};
    // So many of one namespace are kept; what a burst of calls made beyond them is closed.
    static constexpr size_t idle_max = 16;
    // And of all foreign ones together: descriptors stay bounded however many there are.
    static constexpr size_t foreign_max = 256;

    class Lease {
      public:
        Lease(Sessions& owner, uint64_t netns, std::unique_ptr<Entry> entry);
        ~Lease();
        Lease(Lease&&) = default;
        Session& session() { return entry_->session; }
        uint64_t netns() const { return netns_; }
        // The thread is in its own namespace again.
        void leave() { entry_->guard.reset(); }

      private:
        Sessions& owner_;
        uint64_t netns_;
        std::unique_ptr<Entry> entry_;
        int exceptions_ = std::uncaught_exceptions();
    };

    // Both are called by a thread of its own, without a lock. at_rest: whenever a rest begins.
    // in_use: every half `rest_limit` at least, as long as somebody has called within `linger`.
    explicit Sessions(std::function<void()> at_rest = [] {}, std::function<void()> in_use = [] {});
    ~Sessions();

    // A session in a namespace that `open` gives a descriptor of; nullptr when it gives none. What
    // is done by it is written to the journal.
    std::unique_ptr<Lease> lease(uint64_t netns, const std::function<Descriptor()>& open,
                                 Journal* journal = nullptr);
    uint64_t own() const { return own_; }  // the server's namespace
    size_t foreign_idle();                 // for tests, as is
    size_t own_idle();

  private:
    void give_back(uint64_t netns, std::unique_ptr<Entry> entry);
    using Entries = std::vector<std::unique_ptr<Entry>>;
    void close_idle();
    // Moves what has been idle for too long to `closing`; true while others still wait for theirs.
    bool collect_foreign(Entries& closing);
    bool collect_own(Entries& closing);
    bool lingers() const { return std::chrono::steady_clock::now() - last_ < linger; }

    const std::function<void()> at_rest_, in_use_;
    const uint64_t own_ = own_netns();
    const Descriptor home_ = open_own_netns();
    std::mutex mutex_;
    std::unordered_map<uint64_t, Entries> idle_;
    std::condition_variable changed_;
    size_t foreign_count_ = 0;                                                       // in idle_
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();  // lease's end
    bool resting_ = true;
    bool stop_ = false;
    bool closer_asleep_ = false;  // there is nothing to wait for
    std::thread closer_;
};

}  // namespace nlsh
