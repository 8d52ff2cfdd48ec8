#include "shim/mock/program.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "shim/log/message.h"
#include "shim/process/places.h"
#include "shim/run/private_directory.h"
#include "shim/run/run.h"

namespace nlsh {
namespace {

namespace fs = std::filesystem;

int complain(const std::string& text) {
    return fail(127, "nlsh: {}\n", text);
}

bool make_links(const std::string& directory) {
    const std::string nlsh = place_of("nlsh");
    if (nlsh.empty()) return false;
    std::error_code failed;
    for (const char* name : {"ip", "bridge"}) {
        if (!failed) fs::create_symlink(nlsh, fs::path(directory) / name, failed);
    }
    return !failed;
}

}  // namespace

int run_answered(const AnsweredProgram& program, Answerer answerer) {
    const PrivateDirectory directory("mock");
    if (directory.path().empty()) return complain(fmt::format("/tmp: {}", strerror(errno)));
    const std::string socket = directory.path() + "/sock";
    AnswerServer server(std::move(answerer));
    if (!server.listen(socket)) return complain(fmt::format("{}: {}", socket, strerror(errno)));
    if (program.by_path && !make_links(directory.path()))
        return complain(directory.path() + ": no links");
    PreloadedProgram child{.words = program.words, .socket = socket};
    child.environment = {
        {"NLSH_MOCK", program.by_path ? "exec" : "1"}, {"NLSH_DISABLE", ""}, {"NLSH_ENGINE", ""}};
    // Even with --path, the preload reaches /sbin/ip, if it is installed.
    child.preload = !program.by_path || !preload_path().empty();
    if (program.by_path) {
        const char* path = getenv("PATH");
        child.environment.emplace_back(
            "PATH", fmt::format("{}:{}", directory.path(), path == nullptr ? "/bin" : path));
    }
    child.started = [&server] { server.start(); };
    return run_preloaded(child);
}

}  // namespace nlsh
