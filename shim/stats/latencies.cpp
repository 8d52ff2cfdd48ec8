#include "shim/stats/latencies.h"

#include <memory>

namespace nlsh {

Latencies::~Latencies() {
    for (const auto& histogram : histograms_)
        delete histogram.load(std::memory_order_relaxed);
}

void Latencies::add(CommandKind kind, uint64_t nanoseconds) {
    Histogram* known = histograms_[kind].load(std::memory_order_acquire);
    if (known == nullptr) {
        auto fresh = std::make_unique<Histogram>();
        // When another thread was first, `known` is that thread's histogram.
        if (histograms_[kind].compare_exchange_strong(known, fresh.get())) known = fresh.release();
    }
    known->add(nanoseconds);
}

}  // namespace nlsh
