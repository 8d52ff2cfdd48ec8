#include "backend/net/read_ahead.h"

#include <sched.h>
#include <unistd.h>

#include "backend/net/channel.h"

namespace nlsh {
namespace {

// The server's workers are pinned to processors; a thread beside one should use another processor.
void go_where_the_process_may() {
    cpu_set_t set;
    if (sched_getaffinity(getpid(), sizeof set, &set) == 0) sched_setaffinity(0, sizeof set, &set);
}

}  // namespace

ReadAhead::ReadAhead(Transport& transport, size_t size) : transport_(transport), size_(size) {
    for (auto& buffer : buffers_)
        buffer = std::make_unique_for_overwrite<char[]>(size);
    thread_ = std::thread([this] { receive(); });
}

ReadAhead::~ReadAhead() {
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

ReadAhead::Datagram ReadAhead::next() {
    if (at_ == known_) {
        std::unique_lock lock(mutex_);
        free_ = at_ + slots;
        changed_.notify_all();
        changed_.wait(lock, [this] { return enough(); });
        known_ = received_;
    }
    const size_t slot = at_++ % slots;
    return {buffers_[slot].get(), sizes_[slot]};
}

bool ReadAhead::wait_for_room() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return stop_ || received_ < free_; });
    return !stop_;
}

void ReadAhead::receive() {
    go_where_the_process_may();
    for (int64_t size = 1; size > 0 && wait_for_room();) {
        const size_t slot = received_ % slots;
        size = transport_.receive(buffers_[slot].get(), size_);
        const std::lock_guard lock(mutex_);
        sizes_[slot] = size;
        ++received_;
        ended_ = size <= 0;
        if (enough()) changed_.notify_all();
    }
}

}  // namespace nlsh
