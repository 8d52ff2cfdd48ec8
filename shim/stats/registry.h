// The counters of all workers, and their sum.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <vector>

#include "shim/json/json.h"
#include "shim/stats/counters.h"
#include "shim/stats/histogram.h"

namespace nlsh {

class Registry {
  public:
    // Counters for one thread, which returns them at its end; another thread then continues with
    // them.
    Counters& take();
    void give_back(Counters& counters);
    // The time from a native line's arrival to its reply.
    Histogram& latency() { return latency_; }

    // For `nlsh stats`; summary.h describes it.
    Json snapshot() const;

  private:
    Histogram latency_;
    // A steady clock, because the system's time may be set.
    const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
    mutable std::mutex mutex_;
    std::vector<std::unique_ptr<Counters>> all_;
    std::vector<Counters*> free_;
};

}  // namespace nlsh
