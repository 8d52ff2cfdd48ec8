#include "shim/lines/explain.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "backend/read_file.h"
#include "parser/shell/describe.h"
#include "shim/builds/reference.h"
#include "shim/engine/caller.h"
#include "shim/engine/engine.h"
#include "shim/json/json.h"
#include "shim/log/message.h"
#include "shim/process/captured.h"

namespace nlsh {
namespace {

using Answer = std::expected<std::shared_ptr<const Prepared>, Decline>;

std::string as_text(const Answer& prepared) {
    if (!prepared) return fmt::format("fallback: {}\n", reason_of(prepared.error()));
    std::string text =
        fmt::format("native, {}\n", (*prepared)->program.read_only ? "read-only" : "changes state");
    for (const DescribedLine& line : describe((*prepared)->program)) {
        const std::string number = line.position > 0 ? fmt::format("{}. ", line.position) : "";
        const std::string meaning =
            line.meaning.empty() ? "" : fmt::format("   [{}]", line.meaning);
        text += fmt::format("{:{}}{}{}{}\n", "", 2 * line.depth + 2, number, line.text, meaning);
    }
    return text;
}

std::string as_json(const std::string& line, const Answer& prepared) {
    Json document{{"line", line}, {"native", prepared.has_value()}};
    if (prepared) {
        document["read_only"] = (*prepared)->program.read_only;
        auto& parts = document["program"] = Json::array();
        for (const DescribedLine& part : describe((*prepared)->program)) {
            Json entry{{"depth", part.depth}, {"text", part.text}};
            if (part.position > 0) entry["position"] = part.position;
            if (!part.meaning.empty()) entry["meaning"] = part.meaning;
            parts.push_back(std::move(entry));
        }
    } else {
        document["reason"] = reason_of(prepared.error());
    }
    // json_text() replaces bytes that aren't UTF-8, which a line may contain.
    return json_text(document, 2) + "\n";
}

// Whether the line is a word that is neither a file nor a command.
bool means_nothing(const std::string& line) {
    if (line.find_first_not_of(
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./+") != line.npos)
        return false;
    const auto found = run_captured({.line = "command -v " + line,
                                     .environment = split_at_nul(read_file("/proc/self/environ")),
                                     .directory = {},
                                     .limit = quick_limit});
    return found && found->wait_status != 0;
}

}  // namespace

std::string reason_of(const Decline& decline) {
    const std::string& reason = decline.reason;
    if (reason != "command ip" && reason != "command bridge")
        return reason.empty() ? "declined" : reason;
    const Tool tool = reason == "command ip" ? Tool::ip : Tool::bridge;
    const std::string path = reference_path(tool);
    if (path.empty()) return reason + ": no iproute2 is installed";
    if (reference_profile(tool, path)) return reason + ": another program than " + path;
    const std::string version = reference_version(path);
    return fmt::format("{}: {} isn't among the builds that nlsh imitates (iproute2 {})", reason,
                       path, version.empty() ? "without a version" : version);
}

int explain(const ExplainCommand& command) {
    std::error_code ignored;
    if (std::filesystem::is_directory(command.line, ignored))
        return fail(2, "nlsh: {}: {}\n", command.line, strerror(EISDIR));
    if (means_nothing(command.line))
        return fail(2, "nlsh: {}: no such file or command\n", command.line);
    Engine engine(1);
    const CallerEnvironment caller = own_environment(command.in_process);
    const Answer prepared = engine.prepare(command.line, caller);
    const std::string text = command.json ? as_json(command.line, prepared) : as_text(prepared);
    return print(text) == 0 && prepared ? 0 : 1;
}

}  // namespace nlsh
