#include "shim/stats/counters.h"

namespace nlsh {

void Counters::native(const NativeCall& call) {
    bump(native_);
    for (const CommandKind kind : call.kinds)
        bump(commands_[kind]);
    latencies_.add(call.kinds.size() == 1 ? call.kinds[0] : CommandKinds::chain, call.nanoseconds);
    namespaces_.add(call.netns);
    clients_.add(call.client);
    bump(programs_[call.program]);
    if (call.evaluation.status == 0) return;
    bump(failed_);
    for (const Failure& failure : call.evaluation.failures) {
        const auto error = static_cast<size_t>(failure.refusal.error);
        if (error > 0 && error < errors_max) bump(errors_[error]);
    }
}

void Counters::fallback(std::string_view reason, uint64_t client, size_t program) {
    if (client != 0) clients_.add(client);
    bump(programs_[program]);
    const std::lock_guard lock(mutex_);
    const auto known = reasons_.find(reason);
    if (known != reasons_.end()) {
        ++known->second;
    } else {
        ++reasons_[std::string(reasons_.size() < reasons_max ? reason : "other reasons")];
    }
}

Counters::Reasons Counters::reasons() const {
    const std::lock_guard lock(mutex_);
    return reasons_;
}

}  // namespace nlsh
