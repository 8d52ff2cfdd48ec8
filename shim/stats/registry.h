// The counters of all workers, and the sum of them.
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
    // For one thread; it gives them back at its end, and the next thread goes on with them.
    Counters& take();
    void give_back(Counters& counters);
    // From a native line's arrival to its reply.
    Histogram& latency() { return latency_; }

    // As `nlsh stats` gets it: see summary.h for what is in it.
    Json snapshot() const;

  private:
    Histogram latency_;
    // Of a clock that nobody sets.
    const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
    mutable std::mutex mutex_;
    std::vector<std::unique_ptr<Counters>> all_;
    std::vector<Counters*> free_;
};

}  // namespace nlsh
