#include "shim/server/workers.h"

#include <fmt/format.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>

namespace nlsh {
namespace {

constexpr unsigned spare = 2;      // idle threads that a processor starts with
constexpr unsigned spare_max = 4;  // more than these end
constexpr std::chrono::seconds patience{5};

// A worker's turn comes when its client waits, and before that of whoever else computes on its
// processor. SCHED_BATCH: being woken, by connect and by the request, it doesn't interrupt the
// client that is about to wait anyhow, which halves the switches of a call. Short turns and a high
// weight: it is the next (p99 of a call among compilers: 0.3 ms instead of 4). glibc 2.36 has no
// sched_attr. What the kernel refuses is no harm.
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
    attributes.runtime = 100'000;  // ns; since Linux 6.12, ignored before
    syscall(SYS_sched_setattr, 0, &attributes, 0);
}

void pin(int processor) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<unsigned>(processor), &set);
    sched_setaffinity(0, sizeof set, &set);  // a processor taken away: unpinned is right, too
}

}  // namespace

Workers::Workers(Service& service, const Listeners& listeners, unsigned threads_max)
    : service_(service), threads_max_(threads_max) {
    for (const Listener& listener : listeners.all()) {
        auto group = std::make_unique<Group>();
        group->socket = listener.socket.get();
        group->processor = listener.processor;
        groups_.push_back(std::move(group));
    }
    const std::lock_guard lock(mutex_);
    for (const auto& group : groups_) {
        while (group->idle < spare)
            start(*group);
    }
}

// With the mutex held.
void Workers::start(Group& group) {
    ++threads_;
    ++group.idle;
    try {
        std::thread([this, &group] { work(group); }).detach();
    } catch (const std::system_error&) {  // no thread to be had: those that there are must do
        --threads_;
        --group.idle;
    }
}

void Workers::supervise() {
    std::unique_lock lock(mutex_);
    while (!stop_) {
        changed_.wait(lock, [this] { return more_ || stop_; });
        more_ = false;
        for (const auto& group : groups_) {
            if (!stop_ && group->idle == 0 && threads_ < threads_max_) start(*group);
        }
    }
}

bool Workers::stop() {
    std::unique_lock lock(mutex_);
    stop_ = true;
    changed_.notify_all();
    return changed_.wait_for(lock, patience, [this] { return threads_ == 0; });
}

void Workers::want_more() {
    {
        const std::lock_guard lock(mutex_);
        more_ = true;
    }
    changed_.notify_all();
}

void Workers::work(Group& group) {
    take_short_turns();
    pin(group.processor);
    std::vector<char> frame(NLSH_REQUEST_MAX);
    for (;;) {
        const int connection = accept4(group.socket, nullptr, nullptr, SOCK_CLOEXEC);
        if (connection < 0) {
            if (errno == EINTR || errno == ECONNABORTED) continue;
            if (errno != EMFILE && errno != ENFILE && errno != ENOMEM) break;  // closed: we stop
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            continue;
        }
        serve_one(group, connection, frame);
        if (++group.idle > spare_max) break;
    }
    --group.idle;
    const std::lock_guard lock(mutex_);
    --threads_;
    changed_.notify_all();
}

void Workers::serve_one(Group& group, int number, std::vector<char>& frame) {
    const Descriptor connection(number);
    if (--group.idle == 0) want_more();
    try {
        service_.answer(connection.get(), frame);
    } catch (const std::exception& error) {  // out of memory: the client sees its command cut off
        fmt::print(stderr, "nlsh: {}\n", error.what());
    }
}

}  // namespace nlsh
