#include "shim/cli/explain.h"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "parser/shell/describe.h"
#include "shim/engine/caller.h"
#include "shim/engine/engine.h"

namespace nlsh {
namespace {

using Answer = std::expected<std::shared_ptr<const Prepared>, Decline>;

std::string as_text(const Answer& prepared) {
    if (!prepared) return fmt::format("handed over: {}\n", prepared.error().reason);
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
    nlohmann::ordered_json document{{"line", line}, {"native", prepared.has_value()}};
    if (prepared) {
        document["read_only"] = (*prepared)->program.read_only;
        auto& parts = document["program"] = nlohmann::ordered_json::array();
        for (const DescribedLine& part : describe((*prepared)->program)) {
            nlohmann::ordered_json entry{{"depth", part.depth}, {"text", part.text}};
            if (part.position > 0) entry["position"] = part.position;
            if (!part.meaning.empty()) entry["meaning"] = part.meaning;
            parts.push_back(std::move(entry));
        }
    } else {
        document["reason"] = prepared.error().reason;
    }
    // Bytes that aren't UTF-8 are shown replaced: a line may hold any.
    return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

int explain(const std::string& line, bool json, bool in_process) {
    Engine engine(1);
    const CallerEnvironment caller = own_environment(in_process);
    const Answer prepared = engine.prepare(line, caller);
    const std::string text = json ? as_json(line, prepared) : as_text(prepared);
    fwrite(text.data(), 1, text.size(), stdout);
    return prepared ? 0 : 1;
}

}  // namespace nlsh
