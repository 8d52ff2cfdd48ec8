#include "shim/stats/registry.h"

#include <array>
#include <cstring>
#include <nlohmann/json.hpp>

#include "shim/engine/version.h"
#include "shim/json/json.h"

namespace nlsh {

// The sum of some counters.
class Snapshot {
  public:
    void add(const Counters& counters);
    void add(const Latencies& latencies);
    Json json(const std::vector<std::string>& names, const Registry::ClientName& name) const;
    Json programs_json(const std::vector<std::string>& names) const;

  private:
    struct Latency {
        BucketCounts counts{};
        uint64_t sum = 0;
    };
    using ByNumber = std::map<uint64_t, uint64_t>;
    static void add(ByNumber& sum, const Tally& tally);
    static Json latency_json(const std::string& name, const Latency& latency);

    uint64_t native_ = 0, failed_ = 0, fallback_ = 0;
    std::map<CommandKind, uint64_t> commands_;
    std::map<CommandKind, Latency> latencies_;
    ByNumber errors_, namespaces_, clients_;  // 0: those that aren't told apart
    std::array<uint64_t, Programs::max> programs_{};
    Counters::Reasons reasons_;
};

void Snapshot::add(ByNumber& sum, const Tally& tally) {
    for (const auto& [key, count] : tally.all())
        sum[key] += count;
    if (tally.others() > 0) sum[0] += tally.others();
}

void Snapshot::add(const Counters& counters) {
    native_ += counters.native_.load(std::memory_order_relaxed);
    failed_ += counters.failed_.load(std::memory_order_relaxed);
    for (size_t kind = 0; kind < CommandKinds::max; ++kind) {
        const auto number = static_cast<CommandKind>(kind);
        if (const uint64_t count = counters.commands_[kind].load(std::memory_order_relaxed))
            commands_[number] += count;
    }
    for (size_t error = 0; error < Counters::errors_max; ++error) {
        if (const uint64_t count = counters.errors_[error].load(std::memory_order_relaxed))
            errors_[error] += count;
    }
    add(namespaces_, counters.namespaces_);
    add(clients_, counters.clients_);
    for (size_t program = 0; program < Programs::max; ++program)
        programs_[program] += counters.programs_[program].load(std::memory_order_relaxed);
    for (const auto& [reason, count] : counters.reasons()) {
        reasons_[reason] += count;
        fallback_ += count;
    }
}

void Snapshot::add(const Latencies& latencies) {
    for (size_t kind = 0; kind < CommandKinds::max; ++kind) {
        const auto number = static_cast<CommandKind>(kind);
        if (const Histogram* one = latencies.of(number)) {
            Latency& sum = latencies_[number];
            one->add_to(sum.counts, sum.sum);
        }
    }
}

Json Snapshot::latency_json(const std::string& name, const Latency& latency) {
    uint64_t count = 0;
    Json buckets = Json::array();
    for (size_t i = 0; i < latency.counts.size(); ++i) {
        if (latency.counts[i] == 0) continue;
        buckets.push_back({i, latency.counts[i]});
        count += latency.counts[i];
    }
    return {{"name", name}, {"count", count}, {"sum_ns", latency.sum}, {"buckets", buckets}};
}

Json Snapshot::programs_json(const std::vector<std::string>& names) const {
    Json programs = Json::array();
    for (size_t program = 0; program < names.size(); ++program) {
        if (programs_[program] > 0)
            programs.push_back({{"name", names[program]}, {"lines", programs_[program]}});
    }
    return programs;
}

Json Snapshot::json(const std::vector<std::string>& names, const Registry::ClientName& name) const {
    Json document;
    document["lines"] = {{"native", native_}, {"fallback", fallback_}, {"failed", failed_}};
    Json& commands = document["commands"] = Json::array();
    for (const auto& [kind, count] : commands_)
        commands.push_back({{"name", names[kind]}, {"count", count}});
    Json& reasons = document["fallback"] = Json::array();
    for (const auto& [reason, count] : reasons_)
        reasons.push_back({{"reason", reason}, {"count", count}});
    Json& errors = document["errors"] = Json::array();
    for (const auto& [error, count] : errors_) {
        const char* symbol = strerrorname_np(static_cast<int>(error));
        errors.push_back({{"errno", error},
                          {"name", symbol == nullptr ? "" : symbol},
                          {"text", strerror(static_cast<int>(error))},
                          {"count", count}});
    }
    Json& latencies = document["latency"] = Json::array();
    for (const auto& [kind, latency] : latencies_)
        latencies.push_back(latency_json(names[kind], latency));
    Json& namespaces = document["namespaces"] = Json::array();
    for (const auto& [cookie, calls] : namespaces_)
        namespaces.push_back({{"cookie", cookie}, {"lines", calls}});
    Json& clients = document["clients"] = Json::array();
    for (const auto& [pid, calls] : clients_)
        clients.push_back(
            {{"pid", pid}, {"name", pid == 0 ? "others" : name(pid)}, {"lines", calls}});
    return document;
}

Counters& Registry::take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return *all_.emplace_back(std::make_unique<Counters>(latencies_));
    Counters* counters = free_.back();
    free_.pop_back();
    return *counters;
}

void Registry::give_back(Counters& counters) {
    const std::lock_guard lock(mutex_);
    free_.push_back(&counters);
}

Json Registry::snapshot(const ClientName& client_name) const {
    Snapshot sum;
    sum.add(latencies_);
    size_t workers = 0;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& counters : all_)
            sum.add(*counters);
        workers = all_.size() - free_.size();
    }
    const auto uptime = std::chrono::steady_clock::now() - started_;
    Json document{{"version", own_version()},
                  {"iproute2", imitated_version()},
                  {"uptime_ms", duration_cast<std::chrono::milliseconds>(uptime).count()},
                  {"workers", workers}};
    document.update(sum.json(kinds_.names(), client_name));
    document["programs"] = sum.programs_json(programs_.names());
    return document;
}

}  // namespace nlsh
