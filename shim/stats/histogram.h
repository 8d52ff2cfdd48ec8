// Latencies in buckets, each at most 1/16 of its value wide (as in HdrHistogram).
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace nlsh {

struct Buckets {
    static constexpr unsigned per_octave = 16;
    static constexpr uint64_t largest = (1ULL << 37) - 1;  // ns, 137 s: larger values count as this

    static constexpr size_t index(uint64_t value) {
        value = std::min(value, largest);
        const auto width = static_cast<int>(std::bit_width(value));
        const auto shift = static_cast<size_t>(width > 5 ? width - 5 : 0);
        return shift * per_octave + static_cast<size_t>(value >> shift);
    }
    // The largest value of a bucket.
    static constexpr uint64_t upper(size_t index) {
        const size_t shift = index < size_t{2} * per_octave ? 0 : index / per_octave - 1;
        return (uint64_t{index - shift * per_octave + 1} << shift) - 1;
    }
    static constexpr size_t count = 33 * per_octave + per_octave;
};
static_assert(Buckets::index(Buckets::largest) < Buckets::count);

using BucketCounts = std::array<uint64_t, Buckets::count>;

// The value below which this share of the counts lies; 0: no counts.
uint64_t quantile(std::span<const uint64_t> counts, double share);

// Thread-safe.
class Histogram {
  public:
    void add(uint64_t nanoseconds) {
        counts_[Buckets::index(nanoseconds)].fetch_add(1, std::memory_order_relaxed);
        sum_.fetch_add(nanoseconds, std::memory_order_relaxed);
    }
    void add_to(BucketCounts& counts, uint64_t& sum) const;

  private:
    std::array<std::atomic<uint32_t>, Buckets::count> counts_{};
    std::atomic<uint64_t> sum_ = 0;
};

}  // namespace nlsh
