// The persistent netlink sockets: a stock of sessions for each network namespace.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

#include "backend/context.h"
#include "backend/descriptor.h"
#include "shim/server/netns.h"

namespace nlsh {

// Thread-safe. A lease is used by one thread at a time and goes back to the stock at its end.
// Sockets pin their namespace: those of foreign ones are closed when they have been idle for
// `idle_limit`. Of the server's own namespace one stays when there was no lease for `rest_limit`.
class Sessions {
    struct Entry {
        Session session{Session::Threads::some};
        Descriptor netns;  // foreign only
        std::chrono::steady_clock::time_point idle_since;
    };

  public:
    static constexpr std::chrono::milliseconds idle_limit{100};
    static constexpr std::chrono::milliseconds rest_limit{1000};
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
        // False: the thread couldn't move to the session's namespace.
        bool entered() const { return !guard_ || guard_->entered(); }

      private:
        Sessions& owner_;
        uint64_t netns_;
        std::unique_ptr<Entry> entry_;
        std::unique_ptr<NetnsGuard> guard_;  // while the lease lives the thread is in the namespace
    };

    // at_rest: called by a thread of its own, without a lock, whenever a rest begins.
    explicit Sessions(std::function<void()> at_rest = [] {});
    ~Sessions();

    // A session in the namespace of `socket`; nullptr when that can't be entered.
    std::unique_ptr<Lease> lease(int socket) { return lease(socket, netns_of(socket)); }
    // The same, of a socket whose namespace is known.
    std::unique_ptr<Lease> lease(int socket, uint64_t netns);
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

    const std::function<void()> at_rest_;
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
