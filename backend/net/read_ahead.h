// Receives the datagrams of a long dump by a thread of its own: the kernel makes the next ones
// while the first ones are printed.
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

// Used by one thread beside its own. Throws std::bad_alloc, and std::system_error if no thread can
// be started.
class ReadAhead {
  public:
    // Nobody else may receive from `transport` meanwhile. size: the largest datagram.
    ReadAhead(Transport& transport, size_t size);
    ~ReadAhead();
    ReadAhead(const ReadAhead&) = delete;
    ReadAhead& operator=(const ReadAhead&) = delete;

    struct Datagram {
        const char* bytes;
        int64_t size;  // as Transport::receive returns it; 0 or less: the last one
    };
    // The next datagram, valid until the next call.
    Datagram next();

  private:
    void receive();
    bool wait_for_room();
    // For the reader that waits, whose at_ is free_ - slots. Precondition: mutex_ is held.
    bool enough() const { return ended_ || received_ + slots - free_ >= group; }

    static constexpr size_t slots = 4;
    // Datagrams given at once: waking a thread costs as much as half a datagram.
    static constexpr size_t group = 2;
    Transport& transport_;
    const size_t size_;
    std::array<std::unique_ptr<char[]>, slots> buffers_;
    std::array<int64_t, slots> sizes_{};
    size_t at_ = 0;     // of the reader: datagrams taken,
    size_t known_ = 0;  // and datagrams that were there at its last look
    std::mutex mutex_;
    std::condition_variable changed_;
    size_t received_ = 0;
    size_t free_ = slots;  // the first datagram that there is no room for
    bool ended_ = false;
    bool stop_ = false;
    std::thread thread_;  // last, because it uses all other members
};

}  // namespace nlsh
