// Which execs become lines, and which lines: quoted so that no shell splits or expands words.
#include "shim/process/exec_line.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "shim/engine/tools.h"

namespace nlsh {
namespace {

using Texts = std::vector<std::string_view>;

std::optional<std::string> line(const Texts& words) {
    return exec_line(words);
}

TEST(ExecLine, CommandsByTheirPath) {
    EXPECT_EQ(line({"/sbin/ip", "ip", "link", "set", "lo", "up"}), "/sbin/ip link set lo up");
    EXPECT_EQ(line({"/usr/sbin/bridge", "/sbin/bridge"}), "/usr/sbin/bridge");
    EXPECT_EQ(line({"/sbin/ip", "ip", "link", "set", "a b", "alias", "", "it's $x\n"}),
              "/sbin/ip link set 'a b' alias '' 'it'\\''s $x\n'");
}

TEST(ExecLine, ShellsWithALine) {
    EXPECT_EQ(line({"/bin/sh", "sh", "-c", "ip link; ip addr"}), "ip link; ip addr");
    EXPECT_EQ(line({"/bin/sh", "/bin/sh", "-c", "ip link"}), "/bin/sh -c 'ip link'");
    EXPECT_EQ(line({"/bin/bash", "/bin/bash", "-c", "ip link"}), "/bin/bash -c 'ip link'");
}

TEST(ExecLine, ShellsByTheNameThatPathFinds) {
    const Texts words{"/bin/bash", "bash", "-c", "ip link"};
    const auto found = [&](std::string_view path) {
        const ToolFinder finder(path);
        return exec_line(words, [&](std::string_view name) { return finder.file(name); });
    };
    EXPECT_EQ(found("/bin"), "bash -c 'ip link'");
    EXPECT_EQ(found("/nosuch:/bin:/sbin"), "bash -c 'ip link'");
    for (const std::string_view path : {"", ".:/bin", ":/bin", "/usr/bin:/bin", "/sbin", "bin"})
        EXPECT_EQ(found(path), std::nullopt) << path;
}

TEST(ExecLine, AnythingElseIsExecs) {
    for (const Texts& words : std::vector<Texts>{{},
                                                 {"/sbin/ip"},
                                                 {"ip", "ip", "link"},
                                                 {"./ip", "ip", "link"},
                                                 {"/sbin/ip", "iplink"},
                                                 {"/sbin/ip", "bridge", "link"},
                                                 {"/bin/ls", "ls"},
                                                 {"/bin/sh", "sh", "-c"},
                                                 {"/bin/sh", "sh", "-e", "ip link"},
                                                 {"/bin/sh", "sh", "-c", "ip link", "name"},
                                                 {"/bin/sh", "-sh", "-c", "ip link"},
                                                 {"/opt/sh", "sh", "-c", "ip link"},
                                                 {"/bin/bash", "sh", "-c", "ip link"}})
        EXPECT_EQ(line(words), std::nullopt);
}

TEST(ExecLine, CommandsInANamespace) {
    EXPECT_TRUE(enters_netns(Texts{"/sbin/ip", "ip", "netns", "exec", "red", "true"}));
    for (const Texts& words :
         std::vector<Texts>{{"/sbin/ip", "ip", "netns", "exec", "red"},
                            {"/sbin/ip", "ip", "-n", "red", "netns", "exec", "blue", "true"},
                            {"/sbin/ip", "ip", "netns", "exec", "../red", "true"},
                            {"/sbin/ip", "ip", "netns", "exec", "-all", "true"},
                            {"/sbin/bridge", "bridge", "netns", "exec", "red", "true"}})
        EXPECT_FALSE(enters_netns(words));
}

TEST(ExecLine, AsItsCallerWroteIt) {
    EXPECT_EQ(plain_exec_line(Texts{"/sbin/ip", "/sbin/ip", "link"}), "ip link");
    EXPECT_EQ(plain_exec_line(Texts{"/bin/sh", "/bin/sh", "-c", "ip link | wc"}), "ip link | wc");
}

}  // namespace
}  // namespace nlsh
