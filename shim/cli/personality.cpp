#include "shim/cli/personality.h"

#include <fmt/ranges.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include "parser/text.h"
#include "shim/builds/reference.h"
#include "shim/engine/disabled.h"
#include "shim/engine/own_rights.h"
#include "shim/lines/answered.h"
#include "shim/lines/tool.h"
#include "shim/log/message.h"
#include "shim/process/trace.h"

namespace nlsh {
namespace {

// Replaces this process; returns only if there is no real binary. Not by libc's execv: the preload
// may replace that, and would ask the server again.
int exec_reference(Tool tool, char** argv) {
    const std::string path = reference_path(tool);
    if (!path.empty()) syscall(SYS_execve, path.c_str(), argv, environ);
    say("nlsh: no real {} on this machine\n", tool == Tool::ip ? "ip" : "bridge");
    return 127;
}

std::string join(const std::vector<std::string>& words) {
    return fmt::format("{}", fmt::join(words, " "));
}

uint64_t microseconds_since(std::chrono::steady_clock::time_point start) {
    const auto elapsed = std::chrono::steady_clock::now() - start;
    return static_cast<uint64_t>(
        std::chrono::duration_cast<std::chrono::microseconds>(elapsed).count());
}

}  // namespace

std::optional<Tool> personality(const char* program) {
    if (program == nullptr) return {};
    const std::string_view name = base_name(program);
    if (name == "ip") return Tool::ip;
    if (name == "bridge") return Tool::bridge;
    return {};
}

int run_personality(Tool tool, int argc, char** argv) {
    if (asks_for_answers()) {
        const auto status = ask_for_answer(argc, argv);
        return status ? *status : exec_reference(tool, argv);
    }
    if (!disabled_reason().empty() || !surroundings_refusal().empty())
        return exec_reference(tool, argv);
    References references;
    if (!references[tool].profile) return exec_reference(tool, argv);
    const std::vector<std::string> words(argv + 1, argv + argc);
    const Trace trace;
    if (const char* reason = own_rights_refusal(tool, references[tool].path.c_str())) {
        trace.fallback(argv[0], join(words), reason);
        return exec_reference(tool, argv);
    }
    const auto start = std::chrono::steady_clock::now();
    const auto result = run_tool(tool, argv[0], words, references);
    if (!result) {
        trace.fallback(argv[0], join(words), result.error().reason);
        return exec_reference(tool, argv);
    }
    if (!result->fallback.empty()) {
        trace.fallback(argv[0], join(words), result->fallback);
    } else {
        trace.native(argv[0], join(words), Evaluation{.status = result->status, .failures = {}},
                     microseconds_since(start));
    }
    return result->status;
}

}  // namespace nlsh
