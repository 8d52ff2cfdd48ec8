// Long-lived netlink sockets: a stock of sessions for each network namespace.
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

// Thread-safe. One thread at a time uses a lease. A lease returns its session to the stock at its
// end, except after an exception. The thread enters a foreign namespace when a line needs it (4 µs
// there and back), and returns at the lease's end. Sockets pin their namespace, so foreign sessions
// are closed after `idle_limit`. After `rest_limit` without a lease, one session stays in the
// server's own namespace.
class Sessions {
    struct Entry {
        explicit Entry(const Descriptor& home);
        bool enter();
        std::expected<Channel, int> open(bool strict);

        const Descriptor& home;
        Session session;
        Journal* journal = nullptr;         // the leasing thread's
        Descriptor netns;                   // for foreign sessions
        std::unique_ptr<NetnsGuard> guard;  // while it lives, the thread is in the namespace
        std::chrono::steady_clock::time_point idle_since;
    };

  public:
    static constexpr std::chrono::milliseconds idle_limit{100};
    static constexpr std::chrono::milliseconds rest_limit{1000};
    static constexpr std::chrono::seconds linger{10};
    // The most idle sessions of one namespace.
    static constexpr size_t idle_max = 16;
    // The most idle sessions of all foreign namespaces together: each has a descriptor.
    static constexpr size_t foreign_max = 256;

    class Lease {
      public:
        Lease(Sessions& owner, uint64_t netns, std::unique_ptr<Entry> entry);
        ~Lease();
        Lease(Lease&&) = default;
        Session& session() { return entry_->session; }
        uint64_t netns() const { return netns_; }
        // The thread returns to its own namespace.
        void leave() { entry_->guard.reset(); }

      private:
        Sessions& owner_;
        uint64_t netns_;
        std::unique_ptr<Entry> entry_;
        int exceptions_ = std::uncaught_exceptions();
    };

    // A separate thread calls both functions, without a lock. at_rest: when a rest begins. in_use:
    // at least every half `rest_limit`, while the last call is younger than `linger`.
    explicit Sessions(std::function<void()> at_rest = [] {}, std::function<void()> in_use = [] {});
    ~Sessions();

    // Leases a session in the namespace that `open` opens. nullptr: it opens none. The session
    // records its work in the journal.
    std::unique_ptr<Lease> lease(uint64_t netns, const std::function<Descriptor()>& open,
                                 Journal* journal = nullptr);
    uint64_t own() const { return own_; }  // the server's namespace
    size_t foreign_idle();                 // for tests
    size_t own_idle();

  private:
    void give_back(uint64_t netns, std::unique_ptr<Entry> entry);
    using Entries = std::vector<std::unique_ptr<Entry>>;
    void close_idle();
    // Moves expired sessions to `closing`. True: others will expire later.
    bool collect_foreign(Entries& closing);
    bool collect_own(Entries& closing);
    bool lingers() const { return std::chrono::steady_clock::now() - last_ < linger; }

    const std::function<void()> at_rest_, in_use_;
    const uint64_t own_ = own_netns();
    const Descriptor home_ = open_own_netns();
    std::mutex mutex_;
    std::unordered_map<uint64_t, Entries> idle_;
    std::condition_variable changed_;
    size_t foreign_count_ = 0;  // in idle_
    std::chrono::steady_clock::time_point last_ =
        std::chrono::steady_clock::now();  // the end of the last lease
    bool resting_ = true;
    bool stop_ = false;
    bool closer_asleep_ = false;  // until the next lease ends
    std::thread closer_;
};

}  // namespace nlsh
