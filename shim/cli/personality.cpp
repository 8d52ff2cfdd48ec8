#include "shim/cli/personality.h"

#include <fmt/ranges.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "backend/context.h"
#include "backend/names/files.h"
#include "backend/run.h"
#include "backend/shell/streams.h"
#include "parser/ip/command.h"
#include "shim/engine/descriptor_output.h"
#include "shim/engine/reference.h"
#include "shim/engine/trace.h"

namespace nlsh {
namespace {

// Replaces this process; returns only when there is no real binary.
int exec_reference(Tool tool, char** argv) {
    const std::string path = reference_path(tool);
    if (!path.empty()) execv(path.c_str(), argv);
    fprintf(stderr, "nlsh: no real %s on this machine\n", tool == Tool::ip ? "ip" : "bridge");
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
    const char* slash = strrchr(program, '/');
    const std::string_view name = slash != nullptr ? slash + 1 : program;
    if (name == "ip") return Tool::ip;
    if (name == "bridge") return Tool::bridge;
    return {};
}

int run_personality(Tool tool, int argc, char** argv) {
    if (getenv("NLSH_DISABLE") != nullptr) return exec_reference(tool, argv);
    if (!reference_supported(reference_path(tool))) return exec_reference(tool, argv);
    const std::vector<std::string> words(argv + 1, argv + argc);
    NameFiles files;
    const auto names = files.tables();
    const auto command = parse_command(tool, words, *names);
    const Trace trace;
    if (!command) {
        trace.handed_over(argv[0], join(words), command.error().reason);
        return exec_reference(tool, argv);
    }
    const auto start = std::chrono::steady_clock::now();
    Session session;
    DescriptorOutput out(STDOUT_FILENO);
    DescriptorOutput err(STDERR_FILENO);
    Context context{.session = session, .names = *names, .out = &out, .err = &err};
    Hold hold(context, out, err);  // a show may still hand over
    context.out = &hold.out;
    context.err = &hold.err;
    const int status = run(context, *command);
    if (context.handover) {
        trace.handed_over(argv[0], join(words), context.handover->reason);
        return exec_reference(tool, argv);
    }
    hold.release();
    trace.native(argv[0], join(words), Evaluation{.status = status, .failures = {}},
                 microseconds_since(start));
    return status;
}

}  // namespace nlsh
