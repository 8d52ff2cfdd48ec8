#include "shim/cli/dispatch.h"
#include "parser/ip/rule/rule.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shim/cli/explain.h"
#include "shim/cli/explain_file.h"
#include "shim/cli/line.h"
#include "shim/cli/operator.h"
#include "shim/cli/personality.h"
#include "shim/cli/run.h"
#include "shim/cli/similar.h"
#include "shim/engine/quote.h"
#include "shim/engine/version.h"
#include "shim/server/server.h"
#include "shim/verify/compare.h"

namespace nlsh {
namespace {

// nlsh's own arguments, as CLI11 finds them.
struct Given {
    std::string line;
    std::string file;
    bool quiet = false;
    bool verbose = false;
    bool force = false;
    bool version = false;
    ServerSettings server{.log = Level::warning};
    std::string socket_mode = "0600";
    ExplainCommand explaining;
};

void add_lines(CLI::App& app, Given& given) {
    app.add_option("-c", given.line, "Run one shell command line")->type_name("LINE");
    app.add_option("FILE", given.file,
                   "Run a file of command lines, one a line; - is standard input");
    app.add_flag("-V,--version", given.version,
                 "Say which nlsh this is, and which iproute2 it stands for");
    app.add_flag("-q,--quiet", given.quiet, "Don't name the command of a chain that failed");
    app.add_flag("-v,--verbose", given.verbose, "-c: name it also where stderr is no terminal");
    app.add_flag("--force", given.force,
                 "FILE: go on after a line that fails; the exit status is then 1");
}

CLI::App* add_serve(CLI::App& app, Given& given) {
    CLI::App* serve = app.add_subcommand("serve", "Answer the preload's calls until SIGTERM");
    serve
        ->add_option("--socket", given.server.socket,
                     "Prefix of the sockets, one for each processor")
        ->type_name("PATH")
        ->envname("NLSH_SOCKET")
        ->capture_default_str();
    serve->add_option("--mode", given.socket_mode, "Mode of the sockets, in octal: at most 0660")
        ->capture_default_str();
    serve->add_option("--group", given.server.owner.group, "Group of the sockets")
        ->type_name("GROUP");
    serve
        ->add_option("--threads", given.server.threads_max,
                     "At most so many lines run at a time; callers beyond take the real way")
        ->check(CLI::Range(4U, 4096U))
        ->capture_default_str();
    serve
        ->add_option("--backlog", given.server.owner.backlog,
                     "At most so many connections wait on each socket; callers beyond take the "
                     "real way")
        ->check(CLI::Range(1, 65535))
        ->capture_default_str();
    serve
        ->add_option("--remember", given.server.remembered,
                     "At most so many parsed lines are kept for when they come again")
        ->check(CLI::Range(2U, 1U << 20))
        ->capture_default_str();
    serve->add_flag("!--no-seccomp", given.server.filtered,
                    "Without the system call filter: for valgrind and the like");
    serve->add_flag("--proc", given.server.by_proc,
                    "look at callers by /proc alone, as with kernels before 6.11 (for tests)");
    serve->add_flag("--decline-all", given.server.decline_all,
                    "Leave every line to the real tools");
    serve
        ->add_option_function<std::string>(
            "--log",
            [&given](const std::string& name) {
                const auto level = level_of(name);
                if (!level) throw CLI::ValidationError("--log", name + " is no level");
                given.server.log = *level;
            },
            "What is said on stderr: off, error, warning (chains that failed), info (every line "
            "that failed)")
        ->type_name("LEVEL")
        ->envname("NLSH_LOG");
    serve
        ->add_option_function<std::string>(
            "--verify",
            [&given](const std::string& text) {
                const auto rate = verify_rate(text);
                if (!rate) throw CLI::ValidationError("--verify", text + " isn't 0 to 1");
                given.server.verify = *rate;
            },
            "This share of read-only lines (1: all) is run both ways; callers get what the real "
            "tools give, differences are logged")
        ->type_name("RATE")
        ->envname("NLSH_VERIFY");
    serve->add_option("--verify-log", given.server.verify_log, "A file for the differences (JSON)")
        ->type_name("FILE")
        ->envname("NLSH_VERIFY_LOG");
    return serve;
}

// For the help: its arguments are a program's, which aren't ours to parse (see program_words).
void add_run(CLI::App& app) {
    CLI::App* run =
        app.add_subcommand("run", "Run a program under the preload with a private server");
    run->add_option("PROGRAM", "The program and its arguments; a -- before them is skipped");
}

CLI::App* add_explain(CLI::App& app, Given& given) {
    CLI::App* explain =
        app.add_subcommand("explain", "Say what a line is: native or handed over, and why");
    explain
        ->add_option("LINE", given.explaining.line,
                     "A shell command line, or a file of them; - is standard input")
        ->required();
    explain->add_flag("--json", given.explaining.json, "As JSON");
    explain->add_flag("--in-process", given.explaining.in_process,
                      "As `nlsh -c` reads it, not as the server does");
    explain
        ->add_option("--min", given.explaining.least,
                     "FILE: exit 0 if so many per cent of the lines are native")
        ->type_name("PERCENT")
        ->check(CLI::Range(0.0, 100.0))
        ->capture_default_str();
    explain
        ->add_option("--allow", given.explaining.allow,
                     "FILE: lines that match a pattern of this file may be handed over")
        ->type_name("PATTERNS");
    return explain;
}

// What follows `run`, without a leading `--`; nothing when it is another command, or a call for
// help.
std::optional<std::vector<std::string>> program_words(const std::vector<std::string>& given) {
    if (given.empty() || given[0] != "run") return {};
    std::vector<std::string> words(given.begin() + 1, given.end());
    if (!words.empty() && (words[0] == "-h" || words[0] == "--help")) return {};
    if (!words.empty() && words[0] == "--") words.erase(words.begin());
    return words;
}

// `nlsh explain ip link show lo`: words that stand there without quotes become one line.
void join_line(std::vector<std::string>& words) {
    if (words.empty() || words[0] != "explain") return;
    const auto takes_value = [](const std::string& word) {
        return word == "--min" || word == "--allow";
    };
    size_t at = 1;
    while (at < words.size() && words[at].starts_with("--"))
        at += takes_value(words[at]) ? 2 : 1;
    // One word that is a whole line, or a file's name, may have options after it.
    if (at + 1 >= words.size() || words[at].contains(' ') || names_lines(words[at])) return;
    std::string line = words[at];
    for (size_t i = at + 1; i < words.size(); ++i)
        line += ' ' + shell_quoted(words[i]);
    words.resize(at);
    words.push_back(line);
}

// The words after the program's name, as CLI11 is to read them.
std::vector<std::string> normalised(int argc, char** argv) {
    std::vector<std::string> words(argv + 1, argv + argc);
    if (!words.empty() && words[0] == "help") {
        words.erase(words.begin());
        words.resize(std::min<size_t>(words.size(), 1));
        words.emplace_back("--help");
    }
    const auto line = std::ranges::find(words, "-c");
    if (line != words.end() && line + 1 != words.end() && line[1] == "--") words.erase(line + 1);
    join_line(words);
    return words;
}

constexpr int bad_usage = 2;

int complain(const std::string& text) {
    fmt::print(stderr, "nlsh: {}\nnlsh: `nlsh --help` says what it takes\n", text);
    return bad_usage;
}

int serve_as_given(Given& given) {
    const std::string& mode = given.socket_mode;
    if (mode.empty() || mode.size() > 4 || mode.find_first_not_of("01234567") != mode.npos) {
        return complain("serve: --mode takes an octal number");
    }
    given.server.owner.mode = static_cast<unsigned>(std::stoul(mode, nullptr, 8));
    return serve(given.server);
}

bool has_command(const CLI::App& app, std::string_view name) {
    const auto is_it = [&](const CLI::App* command) { return command->get_name() == name; };
    return std::ranges::any_of(app.get_subcommands({}), is_it);
}

// The command that a word may have been meant for; empty: none.
std::string meant(const CLI::App& app, const std::string& word) {
    constexpr size_t farthest = 2;
    std::string nearest;
    size_t least = farthest + 1;
    for (const CLI::App* command : app.get_subcommands({})) {
        const size_t far = distance(word, command->get_name());
        if (far >= least) continue;
        least = far;
        nearest = command->get_name();
    }
    return nearest;
}

int run_lines(const CLI::App& app, const Given& given) {
    if (app.count("-c") > 0 && app.count("FILE") > 0)
        return complain(
            fmt::format("'{}' stands after the line of -c: is the line quoted?", given.file));
    const Naming asked = given.verbose ? Naming::always : Naming::on_terminal;
    const Naming naming = given.quiet ? Naming::never : asked;
    if (app.count("-c") > 0) return LineRunner(naming).run_last(given.line);
    if (app.count("FILE") == 0) return complain("no line, no file and no command");
    if (given.file != "-" && access(given.file.c_str(), F_OK) != 0) {
        const std::string command = meant(app, given.file);
        fmt::print(stderr, "nlsh: {}: no such file, and no command{}\n", given.file,
                   command.empty() ? "" : fmt::format("; did you mean `nlsh {}`?", command));
        return 127;
    }
    return run_script({.file = given.file, .force = given.force, .quiet = given.quiet});
}

int print_version() {
    fmt::print("nlsh {} (iproute2 {})\n", own_version(), imitated_version());
    return 0;
}

}  // namespace

std::optional<int> quick_main(int argc, char** argv) {
    if (const auto tool = personality(argv[0])) return run_personality(*tool, argc, argv);
    // `nlsh ip …` and `nlsh bridge …` are those commands.
    if (argc > 1 && std::string_view(argv[1]).find('/') == std::string_view::npos) {
        if (const auto tool = personality(argv[1]))
            return run_personality(*tool, argc - 1, argv + 1);
    }
    const bool quiet = argc == 4 && std::string_view(argv[1]) == "-q";
    if (argc == 3 + quiet && std::string_view(argv[1 + quiet]) == "-c") {
        return LineRunner(quiet ? Naming::never : Naming::on_terminal).run_last(argv[2 + quiet]);
    }
    return {};
}

int nlsh_main(int argc, char** argv) {
    std::vector<std::string> words = normalised(argc, argv);
    if (const auto program = program_words(words)) return run_program(*program);
    CLI::App app("ip and bridge of iproute2, without exec", "nlsh");
    Given given;
    add_lines(app, given);
    const CLI::App* serving = add_serve(app, given);
    add_run(app);
    const CLI::App* explaining = add_explain(app, given);
    const CLI::App* version = app.add_subcommand("version", "As --version");
    OperatorCommands operating(app);
    operating.take_program(words);
    if (argc > 2 && std::string_view(argv[1]) == "help" && !has_command(app, argv[2]))
        return complain(fmt::format("help: '{}' is no command of nlsh", argv[2]));
    try {
        std::vector<std::string> backwards(words.rbegin(), words.rend());  // as CLI11 wants them
        app.parse(std::move(backwards));
    } catch (const CLI::ParseError& error) {
        return error.get_exit_code() == 0 ? app.exit(error) : complain(error.what());
    }
    if (!app.get_subcommands().empty() && (app.count("FILE") > 0 || app.count("-c") > 0))
        return complain(fmt::format("'{}' stands before the command {}", given.file + given.line,
                                    app.get_subcommands()[0]->get_name()));
    if (given.version || version->parsed()) return print_version();
    if (serving->parsed()) return serve_as_given(given);
    if (const auto status = operating.run()) return *status;
    if (!explaining->parsed()) return run_lines(app, given);
    return names_lines(given.explaining.line) ? explain_file(given.explaining)
                                              : explain(given.explaining);
}

}  // namespace nlsh
