#include "shim/stats/counters.h"

namespace nlsh {

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

}  // namespace nlsh
