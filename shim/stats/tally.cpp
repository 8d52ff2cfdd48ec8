#include "shim/stats/tally.h"

namespace nlsh {

Tally::Place& Tally::find(uint64_t key) {
    Place* least = &places_[0];
    for (Place& place : places_) {
        const uint64_t there = place.key.load(std::memory_order_relaxed);
        if (there == key) return place;
        if (there == 0) {
            place.key.store(key, std::memory_order_release);
            return place;
        }
        if (place.count.load(std::memory_order_relaxed) < least->count.load()) least = &place;
    }
    others_.store(others() + least->count.load(std::memory_order_relaxed),
                  std::memory_order_relaxed);
    least->count.store(0, std::memory_order_release);
    least->key.store(key, std::memory_order_release);
    return *least;
}

std::vector<std::pair<uint64_t, uint64_t>> Tally::all() const {
    std::vector<std::pair<uint64_t, uint64_t>> found;
    for (const Place& place : places_) {
        const uint64_t key = place.key.load(std::memory_order_acquire);
        const uint64_t count = place.count.load(std::memory_order_acquire);
        // A place that is given to another key meanwhile is left out this time.
        if (key != 0 && key == place.key.load(std::memory_order_acquire))
            found.emplace_back(key, count);
    }
    return found;
}

}  // namespace nlsh
