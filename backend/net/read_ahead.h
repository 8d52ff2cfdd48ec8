// The datagrams of a long dump, received by a thread of their own: the kernel makes the next ones
// while those that are there are printed.
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>

namespace nlsh {

class Transport;

// For one thread beside its own. Throws std::bad_alloc, and std::system_error where there is no
// thread.
class ReadAhead {
  public:
    // Nobody else receives from `transport` while this lives. size: of a datagram, at most.
    ReadAhead(Transport& transport, size_t size);
    ~ReadAhead();
    ReadAhead(const ReadAhead&) = delete;
    ReadAhead& operator=(const ReadAhead&) = delete;

    struct Datagram {
        const char* bytes;
        int64_t size;  // as Transport::receive gives it; 0 or less: there is no other
    };
    // The next one; valid until the next call.
    Datagram next();

  private:
    void receive();
    bool wait_for_room();

    static constexpr size_t slots = 4;
    // So many are given at once: to wake a thread costs as much as half a datagram.
    static constexpr size_t group = 2;
    Transport& transport_;
    const size_t size_;
    std::array<std::unique_ptr<char[]>, slots> buffers_;
    std::array<int64_t, slots> sizes_{};
    size_t at_ = 0;     // the reader's: datagrams given,
    size_t known_ = 0;  // and those that were there when it looked
    std::mutex mutex_;
    std::condition_variable changed_;
    size_t received_ = 0;
    size_t free_ = slots;  // up to which datagram there is room
    bool ended_ = false;
    bool stop_ = false;
    std::thread thread_;  // the last member: it uses all others
};

}  // namespace nlsh
