#include "shim/cli/dispatch.h"
#include "parser/ip/rule/rule.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shim/cli/explain.h"
#include "shim/cli/explain_file.h"
#include "shim/cli/line.h"
#include "shim/cli/operator.h"
#include "shim/cli/personality.h"
#include "shim/cli/run.h"
#include "shim/server/server.h"
#include "shim/verify/compare.h"

namespace nlsh {
namespace {

// nlsh's own arguments, as CLI11 finds them.
struct Given {
    std::string line;
    std::string file;
    bool quiet = false;
    bool force = false;
    ServerSettings server{.log = Level::warning};
    std::string socket_mode = "0600";
    bool json = false;
    bool in_process = false;
};

void add_lines(CLI::App& app, Given& given) {
    app.add_option("-c", given.line, "Run one shell command line")->type_name("LINE");
    app.add_option("FILE", given.file,
                   "Run a file of command lines, one a line; - is standard input");
    app.add_flag("-q,--quiet", given.quiet, "Don't name the command of a chain that failed");
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
        ->add_option("LINE", given.line,
                     "A shell command line, or a file of them; - is standard input")
        ->required();
    explain->add_flag("--json", given.json, "As JSON");
    explain->add_flag("--in-process", given.in_process,
                      "As `nlsh -c` reads it, not as the server does");
    return explain;
}

// What follows `run`, without a leading `--`; nothing when it is another command, or a call for
// help.
std::optional<std::vector<std::string>> program_words(int argc, char** argv) {
    if (argc < 2 || std::string_view(argv[1]) != "run") return {};
    std::vector<std::string> words(argv + 2, argv + argc);
    if (!words.empty() && (words[0] == "-h" || words[0] == "--help")) return {};
    if (!words.empty() && words[0] == "--") words.erase(words.begin());
    return words;
}

int serve_as_given(Given& given) {
    const std::string& mode = given.socket_mode;
    if (mode.empty() || mode.size() > 4 || mode.find_first_not_of("01234567") != mode.npos) {
        fputs("nlsh serve: --mode takes an octal number\n", stderr);
        return 255;
    }
    given.server.owner.mode = static_cast<unsigned>(std::stoul(mode, nullptr, 8));
    return serve(given.server);
}

int run_lines(const CLI::App& app, const Given& given) {
    if (app.count("-c") > 0) return LineRunner(given.quiet).run_last(given.line);
    if (app.count("FILE") > 0) return run_script(given.file, given.force, given.quiet);
    fputs(app.help().c_str(), stderr);
    return 255;
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
        return LineRunner(quiet).run_last(argv[2 + quiet]);
    }
    return {};
}

int nlsh_main(int argc, char** argv) {
    if (const auto program = program_words(argc, argv)) return run_program(*program);
    CLI::App app("ip and bridge of iproute2, without exec", "nlsh");
    Given given;
    add_lines(app, given);
    const CLI::App* serving = add_serve(app, given);
    add_run(app);
    const CLI::App* explaining = add_explain(app, given);
    OperatorCommands operating(app);
    argc = operating.take_program(argc, argv);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 255;
    }
    if (serving->parsed()) return serve_as_given(given);
    if (const auto status = operating.run()) return *status;
    if (explaining->parsed() && names_lines(given.line))
        return explain_file(given.line, given.json, given.in_process);
    if (explaining->parsed()) return explain(given.line, given.json, given.in_process);
    return run_lines(app, given);
}

}  // namespace nlsh
