// Decodes any bytes as a request. A decoded request must lie within the frame; then reads its
// variables.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "parser/fuzz/require.h"
#include "parser/program.h"
#include "shim/engine/caller.h"
#include "shim/process/exec_line.h"
#include "shim/wire/codec.h"

namespace nlsh {
namespace {

// Accepts any path of ip or bridge as that tool. Notes the commands and runs none.
class Noting final : public ProgramEnvironment {
  public:
    std::optional<Tool> tool(std::string_view word) const override {
        if (word.ends_with("/ip")) return Tool::ip;
        if (word.ends_with("/bridge")) return Tool::bridge;
        return std::nullopt;
    }
    bool utility(std::string_view, std::string_view) const override { return false; }
    const NameTables& names() const override { return names_; }
    bool writable(std::string_view) const override { return false; }
    Parsed<Command> command(Tool, Words words) const override {
        noted.emplace_back(words.begin(), words.end());
        return declined("noted");
    }

    mutable std::vector<std::vector<std::string>> noted;

  private:
    NameTables names_ = NameTables::built_in();
};

// The line made of ip's or bridge's argv must parse to the same argv, or be declined.
void require_same_words(std::span<const std::string_view> words) {
    const auto line = exec_line(words);
    if (!line || !(words[0].ends_with("/ip") || words[0].ends_with("/bridge"))) return;
    for (const Dialect dialect : {Dialect::dash, Dialect::bash}) {
        const Noting environment;
        (void)parse_program(*line, dialect, environment);
        require(environment.noted.size() <= 1);
        for (const auto& noted : environment.noted)
            require(std::ranges::equal(noted, words.subspan(2)));
    }
}

}  // namespace
}  // namespace nlsh

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace nlsh;
    const std::span frame(reinterpret_cast<const char*>(data), size);
    const auto request = decode_request(frame);
    if (!request) return 0;
    const auto inside = [&](std::string_view view) {
        return view.empty() || (view.data() >= frame.data() &&
                                view.data() + view.size() <= frame.data() + frame.size());
    };
    require(inside(request->command));
    const auto words = exec_words(request->command);
    if (request->kind == NLSH_EXEC) {
        size_t size = 0;
        for (const std::string_view word : words) {
            require(inside(word) && word.find('\0') == std::string_view::npos);
            size += word.size() + 1;
        }
        require(size == request->command.size());
        require_same_words(words);
        (void)enters_netns(words);
        (void)plain_exec_line(words);
    } else {
        require(request->command.find('\0') == std::string_view::npos);
    }
    require(request->environment.size() <= NLSH_VARIABLE_COUNT);
    for (const std::string_view variable : request->environment)
        require(inside(variable) && variable.find('=') > 0);
    (void)caller_environment(request->environment);
    const std::string reply =
        encode_reply({.type = NLSH_DONE, .output = request->command, .text = request->command});
    require(reply.size() <= sizeof(nlsh_reply) + NLSH_OUTPUT_MAX + NLSH_TEXT_MAX);
    return 0;
}
