#include "shim/process/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "shim/wire/append.h"

namespace nlsh {
namespace {

std::string one_line(std::string_view text) {
    std::string line(text);
    std::ranges::replace_if(line, [](char c) { return c == '\t' || c == '\n'; }, ' ');
    return line;
}

}  // namespace

Trace::Trace() {
    if (const char* path = secure_getenv("NLSH_TRACE")) path_ = path;
}

void Trace::append(const std::string& text) const {
    append_or_lose(path_.c_str(), text.data(), text.size());
}

void Trace::native(std::string_view function, std::string_view line, const Evaluation& evaluation,
                   Clock::time_point start) const {
    if (!on()) return;
    const auto elapsed =
        std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start);
    append(fmt::format("{}\tnative\t{}\t{}\t{}\t{}\t{}\n", function, evaluation.status,
                       elapsed.count(), one_line(line), one_line(describe_failure(evaluation)),
                       way_.empty() ? "inproc" : way_));
}

void Trace::tool(std::string_view function, std::string_view line, int status,
                 std::string_view rest, Clock::time_point start) const {
    if (!rest.empty()) return fallback(function, line, rest);
    native(function, line, Evaluation{.status = status, .failures = {}}, start);
}

void Trace::fallback(std::string_view function, std::string_view line,
                     std::string_view reason) const {
    if (!on()) return;
    append(fmt::format("{}\tfallback\t-\t-\t{}\t{}\t{}\n", function, one_line(line),
                       one_line(reason), way_.empty() ? "real" : way_));
}

std::string describe_failure(const Evaluation& evaluation) {
    std::string text;
    for (const Failure& failure : evaluation.failures) {
        if (!text.empty()) text += "; ";
        text += fmt::format("command {} failed with status {}: {}", failure.position,
                            failure.status, failure.command);
        if (!failure.message.empty()) text += ": " + failure.message;
    }
    return text;
}

}  // namespace nlsh
