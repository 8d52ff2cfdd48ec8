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

void LabelCounts::add(std::string_view label, uint64_t count) {
    if (label.empty()) label = other;
    auto known = counts_.find(label);
    if (known == counts_.end())
        known = counts_.try_emplace(std::string(counts_.size() < max ? label : other)).first;
    known->second += count;
}

void LabelCounts::add(const LabelCounts& counts) {
    for (const auto& [label, count] : counts)
        add(label, count);
}

void Counts::add(const Counts& counts) {
    native += counts.native;
    failed += counts.failed;
    fallback += counts.fallback;
    commands.add(counts.commands);
    reasons.add(counts.reasons);
    programs.add(counts.programs);
    for (const auto& [error, count] : counts.errors)
        errors[error] += count;
}

void Counters::native(std::span<const std::string> commands, std::string_view program,
                      const Evaluation& evaluation) {
    const std::lock_guard lock(mutex_);
    ++counts_.native;
    for (const std::string& command : commands)
        counts_.commands.add(command);
    counts_.programs.add(program);
    if (evaluation.status == 0) return;
    ++counts_.failed;
    for (const Failure& failure : evaluation.failures) {
        if (failure.refusal.error > 0) ++counts_.errors[failure.refusal.error];
    }
}

void Counters::fallback(std::string_view reason, std::string_view program) {
    const std::lock_guard lock(mutex_);
    ++counts_.fallback;
    counts_.programs.add(program);
    counts_.reasons.add(reason);
}

void Counters::add_to(Counts& sum) const {
    const std::lock_guard lock(mutex_);
    sum.add(counts_);
}

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
