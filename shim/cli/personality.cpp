#include "shim/cli/personality.h"

#include <fmt/ranges.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
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
    say("nlsh: no real {} on this machine\n", tool == Tool::ip ? "ip" : "bridge");
    return 127;
}

bool is_same_file(const char* left, const char* right) {
    struct stat one, other;
    return stat(left, &one) == 0 && stat(right, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

std::string join(const std::vector<std::string>& words) {
    return fmt::format("{}", fmt::join(words, " "));
}

uint64_t microseconds_since(std::chrono::steady_clock::time_point start) {
    const auto elapsed = std::chrono::steady_clock::now() - start;
    return static_cast<uint64_t>(
        std::chrono::duration_cast<std::chrono::microseconds>(elapsed).count());
}

// The program that a process under the preload tried to exec.
struct Replaced {
    Spawned spawned;
    const char* file;
    int argc;
    char** argv;
};

// Runs nlsh in the place of a tool that the preload's caller tried to exec.
class InPlace {
  public:
    InPlace(Tool tool, const Replaced& replaced) : tool_(tool), replaced_(replaced) {
        trace_.spawned(replaced.spawned.why);
    }
    int run();

  private:
    // The error says why the command falls back.
    std::expected<BatchResult, Decline> attempt();

    Tool tool_;
    const Replaced& replaced_;
    Trace trace_;
};

std::expected<BatchResult, Decline> InPlace::attempt() {
    if (std::string reason = disabled_reason(); !reason.empty()) return declined(std::move(reason));
    if (std::string reason = surroundings_refusal(); !reason.empty())
        return declined(std::move(reason));
    References references;
    const Reference& reference = references[tool_];
    if (!is_same_file(replaced_.file, reference.path.c_str()))
        return declined("not the tool that is known");
    if (!reference.profile) {
        qualify_at_first_use();
        return declined("not the tool that is known");
    }
    if (const char* reason = own_rights_refusal(tool_, replaced_.file)) return declined(reason);
    const std::vector<std::string> words(replaced_.argv + 1, replaced_.argv + replaced_.argc);
    return run_tool(tool_, replaced_.argv[0], words, references);
}

int InPlace::run() {
    const auto start = std::chrono::steady_clock::now();
    const std::string line = join({replaced_.argv, replaced_.argv + replaced_.argc});
    const auto result = attempt();
    if (!result) {
        trace_.fallback(replaced_.spawned.function, line, result.error().reason);
        if (replaced_.spawned.lapse) lapse_note(*replaced_.spawned.lapse);
        syscall(SYS_execve, replaced_.file, replaced_.argv, environ);
        return 127;
    }
    if (!result->fallback.empty()) {
        trace_.fallback(replaced_.spawned.function, line, result->fallback);
    } else {
        trace_.native(replaced_.spawned.function, line,
                      Evaluation{.status = result->status, .failures = {}},
                      microseconds_since(start));
    }
    return result->status;
}

int run_in_place(const Replaced& replaced) {
    if (const auto tool = personality(replaced.file)) return InPlace(*tool, replaced).run();
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
