#include "shim/server/workers.h"
#include "shim/log/message.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <future>
#include <new>
#include <system_error>
#include <thread>

namespace nlsh {
namespace {

constexpr unsigned spare =
    3;  // idle threads that a processor starts with; threads above this number end
constexpr unsigned low = 1;  // if fewer are idle, start more before a connection must wait
// The part of a thread's stack that calls use. It is touched at the start, so that the server's
// memory doesn't depend on which threads have served.
constexpr size_t stack_used = size_t{32} << 10;
constexpr std::chrono::seconds patience{5};
constexpr int wake_signal = SIGUSR1;  // ends a worker's accept() when the server stops
constexpr std::chrono::milliseconds wake_again{10};

// A worker should run when its client waits, before other work on its processor. With SCHED_BATCH a
// woken worker (by connect and by the request) doesn't interrupt the client, which waits soon
// anyway: half as many switches per call. Short turns and a high weight make the worker run next
// (p99 of a call beside compilers: 0.3 ms instead of 4). glibc 2.36 lacks sched_attr. Failures do
// no harm.
void take_short_turns() {
    struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime, deadline, period;
    } attributes{};
    attributes.size = sizeof attributes;
    attributes.policy = SCHED_BATCH;
    attributes.nice = -10;
    attributes.runtime = 100'000;  // ns; ignored before Linux 6.12
    syscall(SYS_sched_setattr, 0, &attributes, 0);
}

void pin(int processor) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<unsigned>(processor), &set);
    sched_setaffinity(0, sizeof set, &set);  // if the processor was taken away, run unpinned
}

[[gnu::noinline]] void touch_stack() {
    char stack[stack_used];
    volatile char* const page = stack;
    for (size_t i = 0; i < stack_used; i += 4096)
        page[i] = 0;
}

Descriptor spare_one() {
    return Descriptor(open("/dev/null", O_RDONLY | O_CLOEXEC));
}

// False: enough workers are idle.
bool join_idle(std::atomic<unsigned>& idle) {
    unsigned count = idle;
    while (count < spare) {
        if (idle.compare_exchange_weak(count, count + 1)) return true;
    }
    return false;
}

// An empty handler, so that system calls return EINTR.
void take_wake_signal() {
    struct sigaction action{};
    action.sa_handler = [](int) {};
    sigaction(wake_signal, &action, nullptr);
}

}  // namespace

unsigned threads_of_processor(unsigned threads_max, unsigned processors) {
    constexpr unsigned usual = 256, each = 16;
    processors = std::max(processors, 1U);
    const unsigned least = threads_max == 0 ? each : spare;
    return std::max((threads_max == 0 ? usual : threads_max) / processors, least);
}

Workers::Workers(Service& service, const Listeners& listeners, unsigned threads_max,
                 Journals& journals)
    : service_(service),
      group_max_(threads_of_processor(threads_max, static_cast<unsigned>(listeners.all().size()))),
      journals_(journals),
      spared_(spare_one()) {
    for (const ListeningSocket& listener : listeners.all()) {
        auto group = std::make_unique<Group>(group_max_);
        group->socket = listener.socket.get();
        group->processor = listener.processor;
        groups_.push_back(std::move(group));
    }
    take_wake_signal();
}

// Starts threads in turns: if the system allows few, each listener still gets one.
bool Workers::start() {
    std::unique_lock lock(mutex_);
    unsigned started = 0;
    bool all = true;
    for (unsigned turn = 0; turn < spare && all; ++turn) {
        for (const auto& group : groups_) {
            all = all && start(*group);
            started += all ? 1 : 0;
        }
    }
    // Calls that come meanwhile may start more threads.
    changed_.wait(lock, [&] { return settled_ >= started; });
    return std::ranges::all_of(groups_, [](const auto& group) { return group->threads > 0; });
}

// Call with the mutex held. False: no thread can be started; the present ones go on.
bool Workers::start(Group& group) {
    ++threads_;
    ++group.threads;
    ++group.idle;
    try {
        std::thread([this, &group] { work(group); }).detach();
    } catch (const std::exception&) {
        --threads_;
        --group.threads;
        --group.idle;
        return false;
    }
    return true;
}

// Call with the mutex held.
void Workers::start_spare(Group& group) {
    const unsigned room = group_max_ - std::min<unsigned>(group.threads, group_max_);
    const unsigned idle = group.idle;
    const unsigned wanted = std::min(room, spare - std::min(idle, spare));
    for (unsigned i = 0; i < wanted && !stop_; ++i)
        if (!start(group)) return;
}

void Workers::supervise() {
    take_short_turns();  // otherwise this thread's turn comes late among all clients
    std::unique_lock lock(mutex_);
    while (!stop_) {
        changed_.wait(lock, [this] { return more_ || stop_; });
        more_ = false;
        for (const auto& group : groups_) {
            if (group->idle <= low) start_spare(*group);
        }
    }
}

bool Workers::stop() {
    std::unique_lock lock(mutex_);
    stop_ = true;
    changed_.notify_all();
    // Repeat the signal: a worker may have been just before accept().
    const auto limit = std::chrono::steady_clock::now() + patience;
    while (threads_ > 0 && std::chrono::steady_clock::now() < limit) {
        for (const pthread_t thread : awake_)
            pthread_kill(thread, wake_signal);
        changed_.wait_for(lock, wake_again, [this] { return threads_ == 0; });
    }
    return threads_ == 0;
}

bool Workers::exhausted() {
    return std::ranges::any_of(groups_,
                               [this](const auto& group) { return group->threads >= group_max_; });
}

void Workers::want_more() {
    {
        const std::lock_guard lock(mutex_);
        more_ = true;
    }
    changed_.notify_all();
}

// Allocates everything that a worker needs. nullopt: no memory; the worker ends.
std::optional<Workers::Place> Workers::settle() {
    std::optional<Place> place;
    const std::lock_guard lock(mutex_);
    try {
        Counters& counters = service_.registry().take();
        Journal& journal = journals_.take();
        place.emplace(Place{awake_.insert(awake_.end(), pthread_self()), counters, journal});
    } catch (const std::bad_alloc&) {  // no place
    }
    ++settled_;
    if (!place) --threads_;
    changed_.notify_all();
    return place;
}

void Workers::work(Group& group) {
    take_short_turns();
    pin(group.processor);
    touch_stack();
    const auto place = settle();
    const bool waiting = !place || accept_calls(group, *place);
    if (waiting) --group.idle;
    --group.threads;
    if (!place) return;
    service_.registry().give_back(place->counters);
    journals_.give_back(place->journal);
    const std::lock_guard lock(mutex_);
    awake_.erase(place->entry);
    --threads_;
    changed_.notify_all();
}

// If no descriptor is free, callers would wait until their timeout. So accepts the next caller with
// the spare descriptor, and declines. False: that failed.
bool Workers::turn_next_away(const Group& group, const Place& place) {
    const std::lock_guard lock(spared_mutex_);
    pollfd wait{group.socket, POLLIN, 0};
    if (!spared_ || poll(&wait, 1, 0) != 1) return false;
    spared_.reset();
    const int number = accept4(group.socket, nullptr, nullptr, SOCK_CLOEXEC);
    if (number >= 0) {
        Connection connection(number, &place.journal);
        Service::turn_away(connection, place.journal.frame(), "no descriptor is left");
    }
    spared_ = spare_one();
    return number >= 0;
}

// False: enough other workers wait.
bool Workers::accept_calls(Group& group, const Place& place) {
    const std::span frame = place.journal.frame();
    while (!stop_) {
        const int connection = accept4(group.socket, nullptr, nullptr, SOCK_CLOEXEC);
        if (connection < 0) {
            if (errno == EINTR || errno == ECONNABORTED) continue;
            if (errno != EMFILE && errno != ENFILE && errno != ENOMEM)
                break;  // closed: the server stops
            if (!turn_next_away(group, place))
                std::this_thread::sleep_for(std::chrono::milliseconds(10));
            continue;
        }
        serve_one(group, connection, {frame, place.counters}, place.journal);
        if (!join_idle(group.idle)) return false;
    }
    return true;
}

bool threads_to_be_had(unsigned count) {
    std::promise<void> end;
    std::vector<std::thread> threads;
    const auto ended = end.get_future().share();
    try {
        for (unsigned i = 0; i < count; ++i)
            threads.emplace_back([ended] { ended.wait(); });
    } catch (const std::exception&) {  // fewer threads
    }
    end.set_value();
    for (std::thread& thread : threads)
        thread.join();
    return threads.size() == count;
}

// Whether another worker would wait for connections, even if every worker kept one.
bool Workers::has_room(const Group& group) const {
    return group.idle > 0 && group.threads <= group_max_ / 2;
}

void Workers::serve_one(Group& group, int number, Service::Worker worker, Journal& journal) {
    Connection connection(number, &journal);
    const uid_t user = connection.peer().uid;
    const auto share = user != 0 ? group.shares.take(user) : std::nullopt;
    const unsigned left = --group.idle;
    const bool last = left == 0;
    if (left <= low && group.threads < group_max_) want_more();
    try {
        if (user != 0 && !share) {
            Service::turn_away(connection, worker.frame, "other users use all their threads");
        } else if (last && group.threads >= group_max_) {
            Service::turn_away(connection, worker.frame);
        } else {
            do
                worker.may_keep = has_room(group);
            while (service_.answer(connection, worker) && !stop_);
        }
    } catch (const std::exception& error) {  // no memory: the client sees a killed command
        say("nlsh: {}\n", error.what());
    }
}

}  // namespace nlsh
