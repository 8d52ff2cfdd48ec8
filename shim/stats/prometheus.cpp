// The text format of Prometheus: https://prometheus.io/docs/instrumenting/exposition_formats/
#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "shim/json/json.h"
#include "shim/stats/histogram.h"
#include "shim/stats/summary.h"

namespace nlsh {
namespace {

// The upper bounds of a histogram's buckets, in microseconds.
constexpr std::array bounds{5,    10,   20,    50,    100,    200,    500,
                            1000, 2000, 10000, 50000, 100000, 1000000};

std::string label(const Json& value) {
    std::string text;
    for (const char c : value.is_string() ? value.get<std::string>() : json_text(value)) {
        if (c == '\n') {
            text += "\\n";
            continue;
        }
        if (c == '"' || c == '\\') text += '\\';
        text += c;
    }
    return text;
}

void head(std::string& text, const char* name, const char* type, const char* help) {
    text += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
}

struct Metric {
    const char* name;
    const char* help;
    const char* list;
    const char* count;
    const char* key;  // the field that becomes the label
    const char* label;
};
constexpr std::array<Metric, 4> metrics{{
    {"nlsh_commands_total", "Commands of native lines by object and verb.", "commands", "count",
     "name", "command"},
    {"nlsh_fallbacks_total", "Lines left to the real tools, by reason.", "fallback", "count",
     "reason", "reason"},
    {"nlsh_errors_total", "Failed commands by errno.", "errors", "count", "name", "errno"},
    // By program, because a machine has few programs, but any number of processes.
    {"nlsh_program_lines_total", "Lines by calling program.", "programs", "lines", "name",
     "program"},
}};

void add_latency(std::string& text, const Json& latency) {
    uint64_t below = 0;
    auto bucket = latency.at("buckets").begin();
    for (const int bound : bounds) {
        const uint64_t limit = static_cast<uint64_t>(bound) * 1000;
        for (; bucket != latency.at("buckets").end(); ++bucket) {
            if (Buckets::upper(bucket->at(0).get<size_t>()) > limit) break;
            below += bucket->at(1).get<uint64_t>();
        }
        text += fmt::format("nlsh_line_duration_seconds_bucket{{le=\"{:g}\"}} {}\n", bound / 1e6,
                            below);
    }
    const auto count = latency.at("count").get<uint64_t>();
    text += fmt::format(
        "nlsh_line_duration_seconds_bucket{{le=\"+Inf\"}} {0}\n"
        "nlsh_line_duration_seconds_sum {1:.9f}\nnlsh_line_duration_seconds_count {0}\n",
        count, latency.at("sum_ns").get<double>() / 1e9);
}

}  // namespace

std::string as_prometheus(const Json& statistics) {
    std::string text;
    head(text, "nlsh_build_info", "gauge", "The server's version and the iproute2 it stands for.");
    text += fmt::format("nlsh_build_info{{version=\"{}\",iproute2=\"{}\"}} 1\n",
                        label(statistics.at("version")), label(statistics.at("iproute2")));
    head(text, "nlsh_uptime_seconds", "gauge", "How long the server has been up.");
    text +=
        fmt::format("nlsh_uptime_seconds {:.3f}\n", statistics.at("uptime_ms").get<double>() / 1e3);
    head(text, "nlsh_workers", "gauge", "Threads that answer.");
    text += fmt::format("nlsh_workers {}\n", statistics.at("workers").get<uint64_t>());
    head(text, "nlsh_lines_total", "counter", "Command lines by what became of them.");
    for (const char* what : {"native", "fallback"})
        text += fmt::format("nlsh_lines_total{{way=\"{}\"}} {}\n", what,
                            statistics.at("lines").at(what).get<uint64_t>());
    head(text, "nlsh_failed_lines_total", "counter", "Native lines with another status than 0.");
    text += fmt::format("nlsh_failed_lines_total {}\n",
                        statistics.at("lines").at("failed").get<uint64_t>());
    if (statistics.contains("verify")) {
        head(text, "nlsh_verified_total", "counter", "Lines run both ways, by the outcome.");
        for (const auto& [outcome, count] : statistics.at("verify").items())
            text += fmt::format("nlsh_verified_total{{outcome=\"{}\"}} {}\n", outcome,
                                count.get<uint64_t>());
    }
    if (statistics.contains("audit")) {
        head(text, "nlsh_audit_records_total", "counter",
             "Records of changes, by what became of them.");
        for (const auto& [outcome, count] : statistics.at("audit").items())
            text += fmt::format("nlsh_audit_records_total{{outcome=\"{}\"}} {}\n", outcome,
                                count.get<uint64_t>());
    }
    for (const Metric& metric : metrics) {
        head(text, metric.name, "counter", metric.help);
        for (const Json& entry : statistics.at(metric.list))
            text +=
                fmt::format("{}{{{}=\"{}\"}} {}\n", metric.name, metric.label,
                            label(entry.at(metric.key)), entry.at(metric.count).get<uint64_t>());
    }
    head(text, "nlsh_line_duration_seconds", "histogram",
         "From a native line's arrival to its reply.");
    add_latency(text, statistics.at("latency"));
    return text;
}

}  // namespace nlsh
