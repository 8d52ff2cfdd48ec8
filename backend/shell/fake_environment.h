// For tests of the evaluator: a shell whose only tool is `ip`. Its commands do what their words
// say.
#pragma once

#include <optional>
#include <string_view>

#include "parser/program.h"

namespace nlsh {

// A fake command's summary holds its words, which decide what it does.
inline Parsed<Command> fake_parse(Tool tool, Words words, const NameTables&, Traits = {}) {
    Command command;
    command.options.tool = tool;
    command.is.read_only = true;
    for (const auto& word : words) {
        if (word == "nonsense") return declined("nonsense");
        if (word == "set") command.is.read_only = false;
        command.summary += (command.summary.empty() ? "" : " ") + word;
    }
    return command;
}

class FakeEnvironment final : public ProgramEnvironment {
  public:
    std::optional<Tool> tool(std::string_view word) const override {
        return word == "ip" ? std::optional(Tool::ip) : std::nullopt;
    }
    bool utility(std::string_view word, std::string_view base) const override {
        return word == base;
    }
    const NameTables& names() const override { return names_; }
    Charset charset() const override { return Charset::utf8; }
    bool writable(std::string_view path) const override {
        return path == "/dev/null" || path.starts_with("/proc/sys/");
    }
    Parsed<Command> command(Tool tool, Words words) const override {
        return fake_parse(tool, words, names_);
    }

  private:
    NameTables names_ = NameTables::built_in();
};

}  // namespace nlsh
