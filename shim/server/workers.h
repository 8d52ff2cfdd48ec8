// The threads that accept and answer: a few for each processor, more while they are held up.
#pragma once

#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "backend/descriptor.h"
#include "shim/server/listeners.h"
#include "shim/server/service.h"
#include "shim/server/shares.h"

namespace nlsh {

// Whether so many threads can run beside this one.
bool threads_to_be_had(unsigned count);

// How many a processor may have, of so many for all of them. 0: 256, but 16 each where that is
// more: with fewer no client of a burst could keep one for itself.
unsigned threads_of_processor(unsigned threads_max, unsigned processors);

// A worker is pinned to its listener's processor: what a call costs is waking another core. One
// that waits for a slow reader or a slow kernel holds nobody up: others are started when few are
// idle; beyond threads_max, shared out over the processors, the last idle one turns callers away.
class Workers {
  public:
    // journals: one for each thread that there may be (threads_of_processor).
    Workers(Service& service, const Listeners& listeners, unsigned threads_max, Journals& journals);
    // Starts the first threads: as many as can be had. False: not one for each listener.
    bool start();
    // Starts threads where they are wanted, until stop(); run by the main thread's side.
    void supervise();
    // Nobody accepts any more; who is at work finishes. The listeners must be closed by then.
    // Returns false when some were still busy after the time given.
    bool stop();
    // Whether all threads that there may be are at work, so that nobody can answer at once.
    bool exhausted();

  private:
    struct Group {
        explicit Group(unsigned threads) : shares(threads) {}
        Shares shares;
        int socket = -1;
        int processor = 0;
        std::atomic<unsigned> idle = 0;
        std::atomic<unsigned> threads = 0;
    };
    bool start(Group& group);
    void start_spare(Group& group);
    struct Place {
        std::list<pthread_t>::iterator entry;
        Counters& counters;
        Journal& journal;
    };
    std::optional<Place> settle();
    void work(Group& group);
    bool accept_calls(Group& group, const Place& place);
    bool turn_next_away(const Group& group, const Place& place);
    void serve_one(Group& group, int number, Service::Worker worker, Journal& journal);
    bool has_room(const Group& group) const;
    void want_more();

    Service& service_;
    const unsigned group_max_;  // threads of a processor
    Journals& journals_;
    std::vector<std::unique_ptr<Group>> groups_;
    std::mutex spared_mutex_;
    Descriptor spared_;  // for turning callers away when there is no other
    std::mutex mutex_;
    std::condition_variable changed_;
    unsigned threads_ = 0;
    unsigned settled_ = 0;  // so many threads have begun, or failed to
    std::list<pthread_t> awake_;
    bool more_ = false;
    std::atomic<bool> stop_ = false;
};

}  // namespace nlsh
