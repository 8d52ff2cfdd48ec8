#include "parser/program.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "parser/shell/describe.h"

namespace nlsh {
namespace {

// Every word of ip and bridge is understood; shows are those with "show" or without a verb.
class FakeEnvironment final : public ProgramEnvironment {
  public:
    explicit FakeEnvironment(Charset charset) : charset_(charset) {}
    std::optional<Tool> tool(std::string_view word) const override {
        if (word == "ip" || word == "/sbin/ip") return Tool::ip;
        if (word == "bridge" || word == "/sbin/bridge") return Tool::bridge;
        return {};
    }
    bool utility(std::string_view word, std::string_view base) const override {
        return word == base || word == "/bin/" + std::string(base);
    }
    const NameTables& names() const override { return names_; }
    Charset charset() const override { return charset_; }
    bool writable(std::string_view path) const override {
        return path == "/dev/null" || path.starts_with("/proc/sys/");
    }
    Parsed<Command> command(Tool tool, Words words) const override {
        Command command;
        command.options.tool = tool;
        command.is.read_only = words.size() < 2;
        for (const auto& word : words) {
            if (word == "nonsense") return declined("nonsense");
            command.is.read_only |= word == "show";
            command.summary += (command.summary.empty() ? "" : " ") + word;
        }
        return command;
    }

  private:
    const Charset charset_;
    NameTables names_ = NameTables::built_in();
};

Parsed<Program> parse(std::string_view line, Dialect dialect = Dialect::dash) {
    static const FakeEnvironment environment(Charset::ascii);
    return parse_program(line, dialect, environment);
}

std::string reason(std::string_view line) {
    auto program = parse(line);
    return program ? "" : program.error().reason;
}

std::vector<std::string> meanings(std::string_view line) {
    std::vector<std::string> texts;
    auto program = parse(line);
    if (!program) return {program.error().reason};
    for (const auto& each : describe(*program))
        texts.push_back(each.meaning.empty() ? each.text : each.meaning);
    return texts;
}

TEST(Program, ParsesTheLinesOfSwss) {
    auto path = std::filesystem::path(__FILE__).parent_path() / "testdata" / "swss-commands.txt";
    std::ifstream file(path);
    ASSERT_TRUE(file) << path;
    int lines = 0;
    for (std::string line; std::getline(file, line); lines++) {
        bool foreign =
            line.find("brctl") != std::string::npos || line.find("teamdctl") != std::string::npos;
        auto program = parse(line);
        EXPECT_EQ(program.has_value(), !foreign) << line << "\n" << reason(line);
    }
    EXPECT_EQ(lines, 110);
}

TEST(Program, UnderstandsQuotes) {
    EXPECT_THAT(meanings(R"(ip link set "Ether"'net'\0 up)"),
                testing::ElementsAre("ip link set Ethernet0 up"));
    EXPECT_THAT(meanings(R"(bash -c "ip link set \"a b\" up")"),
                testing::ElementsAre("bash -c", "ip link set a b up"));
}

TEST(Program, CountsCommandsAndChanges) {
    auto program = parse("ip link show && ip link set a up; /bin/echo 0 > /proc/sys/net/x");
    ASSERT_TRUE(program);
    EXPECT_EQ(program->commands, 3);
    EXPECT_FALSE(program->read_only);
    EXPECT_TRUE(parse("ip link show | grep -q x 2>/dev/null")->read_only);
}

// After a change, a filter that meets a device's name outside ASCII couldn't fall back.
TEST(Program, DeclinesFiltersOfCharactersAfterAChangeInUtf8) {
    const auto reason_in = [](std::string_view line, Charset charset) {
        const FakeEnvironment environment(charset);
        const auto program = parse_program(line, Dialect::dash, environment);
        return program ? "" : program.error().reason;
    };
    for (const std::string filter : {"grep a", "grep -q .", "grep -qi a", "grep -qw a",
                                     "grep -c '[^a]'", "grep -c '[[:alpha:]]'", "sed s/.//",
                                     "sed -n /a./p", "wc", "wc -w", "awk '/a.b/ {print $1}'"}) {
        const std::string after = "ip link set a up && ip link show | " + filter;
        EXPECT_THAT(reason_in(after, Charset::utf8), testing::HasSubstr("depends on the locale"))
            << filter;
        EXPECT_EQ(reason_in(after, Charset::ascii), "") << filter;
        const std::string before = "ip link show | " + filter + " && ip link set a up";
        EXPECT_EQ(reason_in(before, Charset::utf8), "") << filter;
    }
    for (const std::string filter :
         {"LC_ALL=C grep a", "grep -q a", "grep -c '^a*[bc]$'", "grep -qF a.b", "grep -q 'a\\.b'",
          "grep -vq a", "sed s/a/b/g", "sed -n 2p", "wc -l", "awk '{print $2}'", "cut -d: -f2",
          "tr -d a", "head -n 1", "tail -n 1", "uniq -c", "cat"}) {
        const std::string after = "ip link set a up && ip link show | " + filter;
        EXPECT_EQ(reason_in(after, Charset::utf8), "") << filter;
    }
}

TEST(Program, DescribesStructure) {
    EXPECT_THAT(meanings("if ip link show; then ip link set a up; else exit 3; fi | wc -l"),
                testing::ElementsAre("pipeline", "if", "ip link show", "then", "ip link set a up",
                                     "else", "built in, as dash's", "fi", "filter"));
}

TEST(Program, ReadsExpansionsLateOnlyWhenNothingChanges) {
    EXPECT_EQ(reason("ip address show a $(ip link show a | grep -o 'master [^ ]*')"), "");
    EXPECT_EQ(reason("ip address show $(ip link set a up)"),
              "expansion in a command of a line with changes");
}

TEST(Program, DeclinesVariablesThatMayComeFromOutside) {
    EXPECT_EQ(reason("x=1; echo $x"), "");
    EXPECT_EQ(reason("x=1 && echo $x"), "");
    EXPECT_NE(reason("echo $x"), "");
    EXPECT_NE(reason("false && x=1; echo $x"), "");
    EXPECT_NE(reason("false && x=1 || echo $x"), "");
    EXPECT_NE(reason("if true; then x=1; fi; echo $x"), "");
    EXPECT_NE(reason("(x=1); echo $x"), "");
    EXPECT_NE(reason("x=1 | true; echo $x"), "");
    EXPECT_NE(reason("x=1; bash -c 'echo $x'"), "");
}

TEST(Program, DeclinesTheWholeLine) {
    for (const char* line :
         {"ip link show; nosuch", "ip nonsense && ip link show", "ip link show &",
          "ip link show > /tmp/x", "grep x", "ip link show *",
          "for i in *; do ip link show $i; done", "ip link show <<X",
          "ip link add a type dummy | ip link show", "(ip link show", "ip link show)"})
        EXPECT_NE(reason(line), "") << line;
}

TEST(Program, AmpersandGreaterIsBashs) {
    EXPECT_NE(reason("ip link show &> /dev/null"), "");
    EXPECT_EQ(reason("bash -c 'ip link show &> /dev/null'"), "");
    EXPECT_TRUE(parse("ip link show &> /dev/null", Dialect::bash));
}

TEST(Program, NoReservedWordBehindARedirection) {
    EXPECT_EQ(reason("{ (true) }"), "");
    EXPECT_EQ(reason("{ (true) >/dev/null; }"), "");
    EXPECT_EQ(reason("{ (true) >/dev/null }"), "syntax");
}

TEST(Program, BashCountsLinesDifferentlyWithinACommand) {
    EXPECT_EQ(reason("bash -c 'echo a\n[ a -eq 1 ]'"), "");
    EXPECT_EQ(reason("bash -c 'ip link set a \\\n up'"), "");
    EXPECT_EQ(reason("bash -c 'echo \"a\nb\"'"), "");
    EXPECT_EQ(reason("bash -c 'x=$(\ntrue\n)'"), "");
    for (const char* line : {"[ \\\na -eq 1 ]", "x=$(true\n[ a -eq 1 ])", "x=a; exit \\\n$x",
                             "echo \\\n1 > /proc/sys/net/x"}) {
        EXPECT_EQ(reason("bash -c '" + std::string(line) + "'"),
                  "newline within a command of bash");
        EXPECT_NE(reason(line), "newline within a command of bash") << line;
    }
}

TEST(Program, OnlyTheShellWritesToSettings) {
    EXPECT_EQ(reason("echo 1 > /proc/sys/net/x"), "");
    EXPECT_EQ(reason("/bin/echo 1 > /proc/sys/net/x"), "");
    EXPECT_EQ(reason("echo 1 | grep 1 > /proc/sys/net/x"),
              "redirection of a program to a setting of the kernel");
}

TEST(Program, PrintfNeedsNumbers) {
    EXPECT_EQ(reason("printf '%s %d' a 5 b -3"), "");
    EXPECT_EQ(reason("printf %d"), "");
    EXPECT_EQ(reason("x=$(echo a); printf %d $x"), "");  // it can still fall back
    EXPECT_EQ(reason("printf '%s %d' 5 a"), "printf: no number");
    EXPECT_NE(reason("ip link set a up; x=$(echo a); printf %d $x"), "");
    EXPECT_EQ(reason("x=a; printf %d $x"), "printf: no number");
}

TEST(Program, EchoNeedsTheLocaleForCharactersOnly) {
    const auto takes = [](std::string_view line, Charset charset) {
        return parse_program(line, Dialect::dash, FakeEnvironment(charset)).has_value();
    };
    for (const char* line : {R"(bash -c 'ip link set a up; echo -e "a\tb"')",
                             R"(bash -c 'x=$(echo b); echo "$x" a')",      // it can still fall back
                             R"(x=-e; ip link set a up; echo "$x" a)"}) {  // dash knows no -e
        EXPECT_TRUE(takes(line, Charset::ascii)) << line;
        EXPECT_TRUE(takes(line, Charset::unknown)) << line;
    }
    for (const char* line : {R"(bash -c 'ip link set a up; x=$(echo b); echo "$x" a')",
                             R"(bash -c 'ip link set a up; echo -e "\u00e9"')"}) {
        EXPECT_TRUE(takes(line, Charset::utf8)) << line;
        EXPECT_FALSE(takes(line, Charset::unknown)) << line;
    }
    EXPECT_NE(reason("x=--help; ip link set a up; /bin/echo \"$x\""), "");
}

TEST(Program, UncertainWordsOnlyWhenNothingChanges) {
    EXPECT_EQ(reason("x=$(ip link show a); [ $x = a ]"), "");
    EXPECT_EQ(reason("ip link set a up; x=$?; [ $x -eq 0 ]"), "");
    EXPECT_EQ(reason("ip link set a up; x=$(ip link show a); [ \"$x\" = a ]"), "");
    for (const char* line :
         {"ip link set a up; x=$(ip link show a); [ $x = a ]",
          "x='a b'; [ $x = a ] && ip link set a up",
          "[ $(ip link show a) = a ] && ip link set a up", "x='*'; echo $x; ip link set a up"})
        EXPECT_EQ(reason(line), "expansion in a command of a line with changes") << line;
}

TEST(Program, BoundsDepthAndLength) {
    std::string deep(100, '(');
    EXPECT_EQ(reason(deep + "true" + std::string(100, ')')), "((");
    std::string spaced, end;
    for (int i = 0; i < 1000; i++) {
        spaced += "( ";
        end += " )";
    }
    EXPECT_EQ(reason(spaced + "true" + end), "nested too deeply");
    std::string substitutions;
    for (int i = 0; i < 1000; i++)
        substitutions += "echo \"$(";
    EXPECT_NE(reason(substitutions), "");
    EXPECT_EQ(reason("echo " + std::string(200000, 'a')), "line too long");
    EXPECT_EQ(reason(std::string_view("echo a\0b", 8)), "NUL byte");
}

// Knows iproute2's commands.
class RealCommands final : public ProgramEnvironment {
  public:
    std::optional<Tool> tool(std::string_view word) const override {
        return word == "ip"       ? std::optional(Tool::ip)
               : word == "bridge" ? std::optional(Tool::bridge)
                                  : std::nullopt;
    }
    bool utility(std::string_view word, std::string_view base) const override {
        return word == base;
    }
    const NameTables& names() const override { return names_; }
    bool writable(std::string_view path) const override {
        return path == "/dev/null" || path.starts_with("/proc/sys/");
    }

  private:
    NameTables names_ = NameTables::built_in();
};

std::string beyond_netlink(std::string_view line) {
    static const RealCommands environment;
    const auto program = parse_program(line, Dialect::dash, environment);
    return program ? program->beyond_netlink : "declined: " + program.error().reason;
}

TEST(Program, WhatNeedsMoreThanANetlinkSocketIsKnownBeforehand) {
    for (const auto* line :
         {"ip link set lo up", "ip -o link show", "ip addr show dev lo | grep inet",
          "bridge vlan show; bridge fdb show", "ip link add v0 type bridge", "ip route show",
          "ip link set lo up && echo 1 > /proc/sys/net/ipv4/ip_forward",
          "x=$(ip link show lo); if [ $? -eq 0 ]; then ip link set lo up; fi"})
        EXPECT_EQ(beyond_netlink(line), "") << line;
    EXPECT_EQ(beyond_netlink("ip link set lo up; ip tunnel show"), "tunnel show");
    EXPECT_EQ(beyond_netlink("ip maddr show"), "maddress show");
    EXPECT_EQ(beyond_netlink("ip -n blue link show"), "link show");
    EXPECT_EQ(beyond_netlink("ip link set v0 netns blue"), "link set");
    EXPECT_EQ(beyond_netlink("ip link set lo up; ip route show"), "route show, a change");
    EXPECT_EQ(beyond_netlink("brctl addif br0 v0"), "brctl");
    EXPECT_EQ(beyond_netlink("sysctl -w net.ipv4.ip_forward=1"), "sysctl");
    EXPECT_EQ(beyond_netlink("[ -f /proc/sys/net/ipv4/ip_forward ] && ip link show"), "[");
    EXPECT_EQ(beyond_netlink("x=$(ip link show); [ $x ] && ip link show"), "[");
}

TEST(Program, TellsTheFilesThatItWrites) {
    static const RealCommands environment;
    const auto program =
        parse_program("ip link show; echo 1 > /proc/sys/a >> /proc/sys/net/ipv4/ip_nonlocal_bind",
                      Dialect::dash, environment);
    ASSERT_TRUE(program) << program.error().reason;
    EXPECT_THAT(program->written_files,
                testing::ElementsAre("/proc/sys/a", "/proc/sys/net/ipv4/ip_nonlocal_bind"));
}

}  // namespace
}  // namespace nlsh
