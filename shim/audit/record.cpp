#include "shim/audit/record.h"

#include <fmt/format.h>

#include <cstring>

#include "shim/json/json.h"

namespace nlsh {
namespace {

constexpr size_t text_max = 1024;  // for a failed command, and for its message

std::string time_text(timespec now) {
    tm utc{};
    gmtime_r(&now.tv_sec, &utc);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}Z", utc.tm_year + 1900,
                       utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec,
                       now.tv_nsec / 1000);
}

std::string failure_text(const Failure& failure) {
    return fmt::format(R"({{"command":{},"status":{},"errno":{},"message":{}}})",
                       json_string(std::string_view(failure.command).substr(0, text_max)),
                       failure.status, failure.refusal.error,
                       json_string(std::string_view(failure.message).substr(0, text_max)));
}

std::string failures_text(const Evaluation& evaluation) {
    std::string text;
    size_t count = 0;
    for (const Failure& failure : evaluation.failures) {
        if (failure.says_no) continue;  // the shell's condition is false: no failure
        if (++count > audit_failures_max) continue;
        text += (text.empty() ? "" : ",") + failure_text(failure);
    }
    if (count == 0) return {};
    return fmt::format(R"(,"failed":{},"failures":[{}])", count, text);
}

}  // namespace

std::string record_text(const AuditRecord& record, timespec now) {
    const bool cut = record.line.size() > audit_line_max;
    std::string text =
        fmt::format(R"({{"time":"{}","pid":{},"name":{},"uid":{},"netns":{},"line":{})",
                    time_text(now), record.pid, json_string(record.name), record.uid, record.netns,
                    json_string(record.line.substr(0, audit_line_max)));
    if (cut) text += fmt::format(R"(,"line_bytes":{})", record.line.size());
    text += fmt::format(R"(,"status":{})", record.evaluation.status);
    if (record.evaluation.signal != 0)
        text += fmt::format(R"(,"signal":{})", record.evaluation.signal);
    return text + failures_text(record.evaluation) + "}";
}

std::string gap_text(uint64_t suppressed, uint64_t unwritten, int error, timespec now) {
    std::string text = fmt::format(R"({{"time":"{}","suppressed":{},"unwritten":{})",
                                   time_text(now), suppressed, unwritten);
    if (unwritten > 0) text += fmt::format(R"(,"error":{})", json_string(std::strerror(error)));
    return text + "}";
}

}  // namespace nlsh
