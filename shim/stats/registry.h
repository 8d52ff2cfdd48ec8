// The counters of all workers, and the sum of them.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "shim/json/json.h"
#include "shim/stats/counters.h"

namespace nlsh {

class Registry {
  public:
    // For one thread; it gives them back at its end, and the next thread goes on with them.
    Counters& take();
    void give_back(Counters& counters);

    CommandKinds& kinds() { return kinds_; }
    Programs& programs() { return programs_; }
    using ClientName = std::function<std::string(uint64_t)>;
    // As `nlsh stats` gets it: see summary.h for what is in it.
    Json snapshot(const ClientName& client_name) const;

  private:
    CommandKinds kinds_;
    Programs programs_;
    Latencies latencies_;
    // Of a clock that nobody sets.
    const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
    mutable std::mutex mutex_;
    std::vector<std::unique_ptr<Counters>> all_;
    std::vector<Counters*> free_;
};

}  // namespace nlsh
