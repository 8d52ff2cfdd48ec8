// -netns NAME in lines that end early. Needs root; makes its own namespaces.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <new>

#include "backend/objects/link/kinds/kinds.h"
#include "backend/run.h"
#include "parser/ip/command.h"

namespace nlsh {
namespace {

class OutOfMemory final : public Output {
  public:
    bool write(std::string_view) override { throw std::bad_alloc(); }
};

int run_words(Session& session, Output& out, std::vector<std::string> words) {
    const NameTables names = NameTables::built_in();
    const auto command = parse_command(Tool::ip, words, names, link_kinds());
    if (!command) return -1;
    StringOutput err;
    Context context{.session = session, .names = names, .out = &out, .err = &err};
    return run(context, *command);
}

bool enter_namespaces() {
    return unshare(CLONE_NEWNS | CLONE_NEWNET) == 0 &&
           mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
           (access("/run/netns", F_OK) == 0 || system("mkdir -p /run/netns") == 0) &&
           mount("none", "/run/netns", "tmpfs", 0, nullptr) == 0;
}

[[noreturn]] void end(const char* unexpected) {
    if (unexpected != nullptr) fprintf(stderr, "%s\n", unexpected);
    _exit(unexpected == nullptr ? 0 : 1);
}

void lose_memory_elsewhere() {
    constexpr int skipped = 77;
    if (!enter_namespaces()) _exit(skipped);
    Session session;
    StringOutput out;
    OutOfMemory no_memory;
    if (run_words(session, out, {"netns", "add", "elsewhere"}) != 0) end("no namespace");
    if (run_words(session, out, {"link", "add", "br0", "type", "bridge"}) != 0) end("no bridge");
    bool thrown = false;
    try {
        run_words(session, no_memory, {"-netns", "elsewhere", "link", "show"});
    } catch (const std::bad_alloc&) {
        thrown = true;
    }
    if (!thrown) end("nothing was thrown");
    if (run_words(session, out, {"link", "show", "br0"}) != 0) end("still elsewhere");
    end(nullptr);
}

TEST(RunElsewhere, ASessionThatLosesItsMemoryIsInItsOwnNamespaceAfterwards) {
    const pid_t child = fork();
    if (child == 0) lose_memory_elsewhere();
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) GTEST_SKIP() << "needs root";
    EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace nlsh
