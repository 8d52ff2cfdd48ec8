// How long lines took, by their kind: of all workers together, as one of each worker's would be 2
// KiB for each kind and worker.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "shim/stats/command_kinds.h"
#include "shim/stats/histogram.h"

namespace nlsh {

// Thread-safe, without a lock.
class Latencies {
  public:
    Latencies() = default;
    ~Latencies();
    Latencies(const Latencies&) = delete;
    Latencies& operator=(const Latencies&) = delete;

    void add(CommandKind kind, uint64_t nanoseconds);
    // Lives as long as this; nullptr when there has been no such line.
    const Histogram* of(CommandKind kind) const {
        return histograms_[kind].load(std::memory_order_acquire);
    }

  private:
    std::array<std::atomic<Histogram*>, CommandKinds::max> histograms_{};
};

}  // namespace nlsh
