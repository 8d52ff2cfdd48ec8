// The threads that accept and answer: a few for each processor, and more while these are busy.
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

// Whether the system lets this many more threads start.
bool threads_to_be_had(unsigned count);

// A processor's share of `threads_max`. 0: of 256, or 16 for each processor if that is more, so
// that each client of a burst can keep a thread.
unsigned threads_of_processor(unsigned threads_max, unsigned processors);

// Each worker is pinned to its listener's processor, because waking another core dominates a call's
// cost. A worker that waits for a slow reader or kernel delays nobody: when few workers are idle,
// others start. At a processor's share of threads_max, the last idle worker turns callers away.
class Workers {
  public:
    // journals: one for each possible thread (threads_of_processor).
    Workers(Service& service, const Listeners& listeners, unsigned threads_max, Journals& journals);
    // Starts the first threads, as many as possible. False: fewer than one for each listener.
    bool start();
    // Starts threads when needed, until stop(). Runs beside the main thread.
    void supervise();
    // Stops accepting; running lines finish. Close the listeners first. False: some workers were
    // still busy after the time limit.
    bool stop();
    // Whether all possible threads are busy, so that nobody can answer at once.
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
    const unsigned group_max_;  // the most threads of a processor
    Journals& journals_;
    std::vector<std::unique_ptr<Group>> groups_;
    std::mutex spared_mutex_;
    Descriptor spared_;  // closed to turn callers away if no other descriptor is left
    std::mutex mutex_;
    std::condition_variable changed_;
    unsigned threads_ = 0;
    unsigned settled_ = 0;  // threads that have started, or failed to
    std::list<pthread_t> awake_;
    bool more_ = false;
    std::atomic<bool> stop_ = false;
};

}  // namespace nlsh
