#include "shim/cli/personality.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "backend/context.h"
#include "backend/names/files.h"
#include "backend/run.h"
#include "parser/ip/command.h"
#include "shim/engine/descriptor_output.h"
#include "shim/engine/reference.h"

namespace nlsh {
namespace {

// Replaces this process; returns only when there is no real binary.
int exec_reference(Tool tool, char** argv) {
    const std::string path = reference_path(tool);
    if (!path.empty()) execv(path.c_str(), argv);
    fprintf(stderr, "nlsh: no real %s on this machine\n", tool == Tool::ip ? "ip" : "bridge");
    return 127;
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
    const std::vector<std::string> words(argv + 1, argv + argc);
    NameFiles files;
    const auto names = files.tables();
    const auto command = parse_command(tool, words, *names);
    if (!command) return exec_reference(tool, argv);
    Session session;
    DescriptorOutput out(STDOUT_FILENO);
    DescriptorOutput err(STDERR_FILENO);
    Context context{.session = session, .names = *names, .out = &out, .err = &err};
    return run(context, *command);
}

}  // namespace nlsh
