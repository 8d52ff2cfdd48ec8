#include "shim/stats/histogram.h"

#include <cmath>
#include <numeric>

namespace nlsh {

uint64_t quantile(std::span<const uint64_t> counts, double share) {
    const uint64_t total = std::accumulate(counts.begin(), counts.end(), uint64_t{0});
    const auto rank = static_cast<uint64_t>(std::ceil(share * static_cast<double>(total)));
    uint64_t below = 0;
    for (size_t i = 0; i < counts.size(); ++i) {
        below += counts[i];
        if (below > 0 && below >= rank) return Buckets::upper(i);
    }
    return 0;
}

void Histogram::add_to(BucketCounts& counts, uint64_t& sum) const {
    for (size_t i = 0; i < counts.size(); ++i)
        counts[i] += counts_[i].load(std::memory_order_relaxed);
    sum += sum_.load(std::memory_order_relaxed);
}

}  // namespace nlsh
