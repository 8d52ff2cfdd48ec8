// Calls by a number (a process, a network namespace): a few dozen are told apart.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

namespace nlsh {

// Written by one thread, read by any, without a lock. When all places are taken the key that has
// been counted least gives way; its calls go to `others`.
class Tally {
  public:
    static constexpr size_t size = 64;

    void add(uint64_t key) {
        Place* place = latest_;
        if (place == nullptr || place->key.load(std::memory_order_relaxed) != key)
            place = latest_ = &find(key);
        place->count.store(place->count.load(std::memory_order_relaxed) + 1,
                           std::memory_order_relaxed);
    }
    std::vector<std::pair<uint64_t, uint64_t>> all() const;
    uint64_t others() const { return others_.load(std::memory_order_relaxed); }

  private:
    struct Place {
        std::atomic<uint64_t> key = 0;  // 0: free
        std::atomic<uint64_t> count = 0;
    };
    Place& find(uint64_t key);

    std::array<Place, size> places_{};
    Place* latest_ = nullptr;  // the writer's: most calls come from where the last one came from
    std::atomic<uint64_t> others_ = 0;
};

}  // namespace nlsh
