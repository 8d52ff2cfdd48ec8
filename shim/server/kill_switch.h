// A file that an operator makes to stop everything native at once, and removes to go on.
#pragma once

#include <atomic>
#include <string>
#include <thread>

#include "backend/descriptor.h"

namespace nlsh {

// Looking at the file in each call would cost 0.5 to 2 µs; inotify(7) tells a thread of it, and a
// call looks at an atomic.
class KillSwitch {
  public:
    explicit KillSwitch(std::string file);
    ~KillSwitch();
    KillSwitch(const KillSwitch&) = delete;
    KillSwitch& operator=(const KillSwitch&) = delete;

    bool on() const { return on_.load(std::memory_order_relaxed); }

  private:
    void look();
    void watch();

    const std::string file_;
    std::atomic<bool> on_ = false;
    Descriptor events_;
    Descriptor stop_;
    std::thread thread_;
};

}  // namespace nlsh
