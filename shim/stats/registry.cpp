#include "shim/stats/registry.h"

#include <cstring>
#include <nlohmann/json.hpp>

#include "shim/builds/version.h"

namespace nlsh {
namespace {

Json list_of(const LabelCounts& counts, const char* label, const char* count) {
    Json list = Json::array();
    for (const auto& [name, number] : counts)
        list.push_back({{label, name}, {count, number}});
    return list;
}

Json errors_of(const Counts& counts) {
    Json list = Json::array();
    for (const auto& [error, count] : counts.errors) {
        const char* symbol = strerrorname_np(error);
        list.push_back({{"errno", error},
                        {"name", symbol == nullptr ? "" : symbol},
                        {"text", strerror(error)},
                        {"count", count}});
    }
    return list;
}

Json latency_of(const Histogram& histogram) {
    BucketCounts counts{};
    uint64_t sum = 0, count = 0;
    histogram.add_to(counts, sum);
    Json buckets = Json::array();
    for (size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] == 0) continue;
        buckets.push_back({i, counts[i]});
        count += counts[i];
    }
    return {{"count", count}, {"sum_ns", sum}, {"buckets", std::move(buckets)}};
}

}  // namespace

Counters& Registry::take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return *all_.emplace_back(std::make_unique<Counters>());
    Counters* counters = free_.back();
    free_.pop_back();
    return *counters;
}

void Registry::give_back(Counters& counters) {
    const std::lock_guard lock(mutex_);
    free_.push_back(&counters);
}

Json Registry::snapshot() const {
    Counts sum;
    size_t workers = 0;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& counters : all_)
            counters->add_to(sum);
        workers = all_.size() - free_.size();
    }
    const auto uptime = std::chrono::steady_clock::now() - started_;
    return {{"version", own_version()},
            {"iproute2", imitated_version()},
            {"uptime_ms", duration_cast<std::chrono::milliseconds>(uptime).count()},
            {"workers", workers},
            {"lines", {{"native", sum.native}, {"fallback", sum.fallback}, {"failed", sum.failed}}},
            {"commands", list_of(sum.commands, "name", "count")},
            {"fallback", list_of(sum.reasons, "reason", "count")},
            {"errors", errors_of(sum)},
            {"programs", list_of(sum.programs, "name", "lines")},
            {"latency", latency_of(latency_)}};
}

}  // namespace nlsh
