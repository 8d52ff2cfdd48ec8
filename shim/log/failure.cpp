#include "shim/log/failure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace nlsh {
namespace {

std::string errno_name(int error) {
    const char* name = strerrorname_np(error);
    return name != nullptr ? name : fmt::format("errno {}", error);
}

std::string one(const Failure& failure, int commands) {
    std::string text =
        commands > 1 ? fmt::format("command {} of {}, ", failure.position, commands) : "";
    text += fmt::format("`{}`, status {}", failure.command, failure.status);
    const auto& [error, extack] = failure.refusal;
    if (error != 0) text += ", " + errno_name(error);
    if (!extack.empty()) text += fmt::format(", extack \"{}\"", extack);
    if (!failure.message.empty()) text += fmt::format(", \"{}\"", failure.message);
    return text;
}

}  // namespace

bool has_failed(const Evaluation& evaluation) {
    return evaluation.status != 0 && !std::ranges::all_of(evaluation.failures, &Failure::says_no);
}

std::string failure_text(std::string_view line, int commands, const Evaluation& evaluation) {
    std::string text = fmt::format("a {} failed with status {}", commands > 1 ? "chain" : "line",
                                   evaluation.status);
    const char* separator = ": ";
    for (const Failure& failure : evaluation.failures) {
        text += separator + one(failure, commands);
        separator = "; ";
    }
    if (commands > 1) text += fmt::format("; line: {}", line);
    return text;
}

}  // namespace nlsh
