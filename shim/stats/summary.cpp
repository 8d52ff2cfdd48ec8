#include "shim/stats/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "shim/log/printable.h"
#include "shim/stats/histogram.h"

namespace nlsh {
namespace {

struct Quantile {
    const char* name;
    double share;
};
constexpr std::array<Quantile, 5> quantiles{
    {{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p999", 0.999}, {"max", 1}}};

BucketCounts counts_of(const Json& latency) {
    BucketCounts counts{};
    for (const Json& bucket : latency.at("buckets")) {
        const auto index = bucket.at(0).get<size_t>();
        if (index < counts.size()) counts[index] = bucket.at(1).get<uint64_t>();
    }
    return counts;
}

// A list of entries with a name and a count.
struct Counted {
    const char* list;
    const char* key;
    const char* count;
};
constexpr std::array<Counted, 4> counted{{{"commands", "name", "count"},
                                          {"fallback", "reason", "count"},
                                          {"errors", "errno", "count"},
                                          {"programs", "name", "lines"}}};

std::vector<Json> most_first(const Json& list, const char* count) {
    std::multimap<uint64_t, const Json*, std::greater<>> ordered;  // equal counts keep their order
    for (const Json& entry : list)
        ordered.emplace(entry.at(count).get<uint64_t>(), &entry);
    std::vector<Json> entries;
    for (const auto& [number, entry] : ordered)
        entries.push_back(*entry);
    return entries;
}

double microseconds(const BucketCounts& counts, double share) {
    return static_cast<double>(quantile(counts, share)) / 1e3;
}

std::string latency_line(const Json& latency) {
    if (latency.at("count") == 0) return {};
    const BucketCounts counts = counts_of(latency);
    std::string text = "latency of native lines, µs:";
    for (const auto& [name, share] : quantiles)
        text += fmt::format(" {} {:.1f}", name, microseconds(counts, share));
    return text + '\n';
}

std::string field_text(const Json& value) {
    return value.is_string() ? printable(value.get<std::string>()) : json_text(value);
}

// For everything since the server's start, or for an interval (difference()).
std::string period_text(const Json& statistics) {
    const double up = statistics.at("uptime_ms").get<double>() / 1e3;
    const auto interval = statistics.find("interval_ms");
    if (interval == statistics.end()) return fmt::format("up {:.1f} s", up);
    return fmt::format("the last {:.1f} s of {:.1f} s up", interval->get<double>() / 1e3, up);
}

// `title`, then one row for each entry: its count and its name.
std::string count_table(const char* title, const Json& list, const char* count,
                        std::initializer_list<const char*> fields) {
    std::string text;
    for (const Json& entry : most_first(list, count)) {
        text += fmt::format("{:>12}  ", entry.at(count).get<uint64_t>());
        const char* separator = "";
        for (const char* field : fields) {
            text += separator + field_text(entry.at(field));
            separator = "  ";
        }
        text += '\n';
    }
    return text.empty() ? text : fmt::format("\n{}\n{}", title, text);
}

}  // namespace

Json with_quantiles(Json statistics) {
    Json& latency = statistics["latency"];
    const BucketCounts counts = counts_of(latency);
    const auto count = static_cast<double>(std::max(latency["count"].get<uint64_t>(), uint64_t{1}));
    latency["mean_us"] = latency["sum_ns"].get<double>() / count / 1e3;
    for (const auto& [name, share] : quantiles)
        latency[std::string(name) + "_us"] = microseconds(counts, share);
    latency.erase("buckets");
    latency.erase("sum_ns");
    return statistics;
}

std::string as_tables(const Json& statistics) {
    const Json& lines = statistics.at("lines");
    const auto native = lines.at("native").get<uint64_t>();
    const auto fallback = lines.at("fallback").get<uint64_t>();
    const uint64_t all = native + fallback;
    std::string text = fmt::format(
        "{}, {} workers\n"
        "{} lines: {} native ({:.1f}%, {} of them failed), {} fell back\n",
        period_text(statistics), statistics.at("workers").get<uint64_t>(), all, native,
        all > 0 ? 100.0 * static_cast<double>(native) / static_cast<double>(all) : 0.0,
        lines.at("failed").get<uint64_t>(), fallback);
    if (const auto verify = statistics.find("verify");
        verify != statistics.end() && verify->at("verified") != 0) {
        text += fmt::format("{} verified, {} different, {} in numbers only\n",
                            verify->at("verified").get<uint64_t>(),
                            verify->at("different").get<uint64_t>(),
                            verify->at("numbers").get<uint64_t>());
    }
    if (const auto audit = statistics.find("audit"); audit != statistics.end()) {
        text += fmt::format("audit: {} records written, {} suppressed, {} unwritten\n",
                            audit->at("written").get<uint64_t>(),
                            audit->at("suppressed").get<uint64_t>(),
                            audit->at("unwritten").get<uint64_t>());
    }
    text += latency_line(statistics.at("latency"));
    text += count_table("commands of native lines", statistics.at("commands"), "count", {"name"});
    text += count_table("fallback", statistics.at("fallback"), "count", {"reason"});
    text += count_table("errors", statistics.at("errors"), "count", {"name", "text"});
    text += count_table("calling programs, lines", statistics.at("programs"), "lines", {"name"});
    return text;
}

Json difference(const Json& before, const Json& after) {
    Json result = after;
    const auto minus = [](Json& value, const Json& earlier) {
        value = value.get<uint64_t>() - std::min(value.get<uint64_t>(), earlier.get<uint64_t>());
    };
    for (const auto& [name, count] : before.at("lines").items())
        minus(result["lines"][name], count);
    for (const char* part : {"verify", "audit"}) {
        if (!before.contains(part) || !after.contains(part)) continue;
        for (const auto& [name, count] : before.at(part).items())
            minus(result[part][name], count);
    }
    result["interval_ms"] = after.at("uptime_ms");
    minus(result["interval_ms"], before.at("uptime_ms"));
    for (const Counted& each : counted) {
        Json left = Json::array();
        for (Json entry : after.at(each.list)) {
            for (const Json& earlier : before.at(each.list)) {
                if (earlier.at(each.key) == entry.at(each.key))
                    minus(entry[each.count], earlier.at(each.count));
            }
            if (entry[each.count] != 0) left.push_back(std::move(entry));
        }
        result[each.list] = std::move(left);
    }
    Json& latency = result["latency"];
    const BucketCounts counts = counts_of(latency);
    const BucketCounts earlier = counts_of(before.at("latency"));
    minus(latency["count"], before.at("latency").at("count"));
    minus(latency["sum_ns"], before.at("latency").at("sum_ns"));
    Json& buckets = latency["buckets"] = Json::array();
    for (size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] > earlier[i]) buckets.push_back({i, counts[i] - earlier[i]});
    }
    return result;
}

}  // namespace nlsh
