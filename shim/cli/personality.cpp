#include "shim/cli/personality.h"

#include <fmt/ranges.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "parser/text.h"
#include "shim/builds/reference.h"
#include "shim/engine/disabled.h"
#include "shim/engine/own_rights.h"
#include "shim/lines/answered.h"
#include "shim/lines/line.h"
#include "shim/lines/tool.h"
#include "shim/log/message.h"
#include "shim/process/trace.h"
#include "shim/replay/first_use.h"
#include "shim/wire/lapse_file.h"

namespace nlsh {
namespace {

// Replaces this process; returns only if there is no real binary. Doesn't call libc's execv,
// because the preload may replace that, and would ask the server again.
int exec_reference(Tool tool, char** argv) {
    const std::string path = reference_path(tool);
    if (!path.empty()) syscall(SYS_execve, path.c_str(), argv, environ);
    return fail(127, "nlsh: no real {} on this machine\n", tool == Tool::ip ? "ip" : "bridge");
}

bool is_same_file(const char* left, const char* right) {
    struct stat one, other;
    return stat(left, &one) == 0 && stat(right, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

std::string join(char** first, char** last) {
    return fmt::format("{}", fmt::join(first, last, " "));
}

// The program that a process under the preload tried to exec.
struct Replaced {
    Spawned spawned;
    const char* file;
    int argc;
    char** argv;
};

// Runs the tool in this process, if its file would have this process's rights. The error says why
// the command falls back.
std::expected<BatchResult, Decline> run_known(Tool tool, const char* file, int argc, char** argv,
                                              References& references) {
    if (const char* reason = own_rights_refusal(tool, file)) return declined(reason);
    const std::vector<std::string> words(argv + 1, argv + argc);
    return run_tool(tool, argv[0], words, references);
}

// The same in the place of a tool that the preload's caller tried to exec.
std::expected<BatchResult, Decline> run_replaced(Tool tool, const Replaced& replaced) {
    if (std::string reason = disabled_reason(); !reason.empty()) return declined(std::move(reason));
    if (std::string reason = surroundings_refusal(); !reason.empty())
        return declined(std::move(reason));
    References references;
    const Reference& reference = references[tool];
    if (!is_same_file(replaced.file, reference.path.c_str()))
        return declined("not the tool that is known");
    if (!reference.profile) {
        qualify_at_first_use();
        return declined("not the tool that is known");
    }
    return run_known(tool, replaced.file, replaced.argc, replaced.argv, references);
}

int run_tool_in_place(Tool tool, const Replaced& replaced) {
    Trace trace;
    trace.spawned(replaced.spawned.why);
    const auto start = Trace::Clock::now();
    const std::string line = join(replaced.argv, replaced.argv + replaced.argc);
    const auto result = run_replaced(tool, replaced);
    if (!result) {
        trace.fallback(replaced.spawned.function, line, result.error().reason);
        if (replaced.spawned.lapse) lapse_note(*replaced.spawned.lapse);
        syscall(SYS_execve, replaced.file, replaced.argv, environ);
        return 127;
    }
    trace.tool(replaced.spawned.function, line, result->status, result->fallback, start);
    return result->status;
}

int run_in_place(const Replaced& replaced) {
    if (const auto tool = personality(replaced.file)) return run_tool_in_place(*tool, replaced);
    std::vector<std::string_view> words{replaced.file};
    words.insert(words.end(), replaced.argv, replaced.argv + replaced.argc);
    return LineRunner(replaced.spawned).run_in_place(words, replaced.argv);
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
    if (!references[tool].profile) {
        qualify_at_first_use();
        return exec_reference(tool, argv);
    }
    const Trace trace;
    const auto start = Trace::Clock::now();
    const std::string line = join(argv + 1, argv + argc);
    const auto result = run_known(tool, references[tool].path.c_str(), argc, argv, references);
    if (!result) {
        trace.fallback(argv[0], line, result.error().reason);
        return exec_reference(tool, argv);
    }
    trace.tool(argv[0], line, result->status, result->fallback, start);
    return result->status;
}

std::optional<int> run_spawned(int argc, char** argv) {
    enum { how = 1, file = 2, first = 3, line = 3, end = 4 };
    const auto spawned = argc > first ? spawned_for(argv[0]) : std::nullopt;
    if (!spawned) return {};
    if (argc == end && std::string_view(argv[line - 1]) == "-c")
        return LineRunner(*spawned).run_last(argv[line]);
    if (std::string_view(argv[how]) == "--exec")
        return run_in_place({*spawned, argv[file], argc - first, argv + first});
    return {};
}

}  // namespace nlsh
