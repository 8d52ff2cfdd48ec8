#include "shim/cli/dispatch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "shim/cli/help.h"
#include "shim/cli/personality.h"
#include "shim/cli/similar.h"
#include "shim/cli/subcommands.h"
#include "shim/lines/line.h"
#include "shim/log/message.h"

namespace nlsh {
namespace {

// The arguments of nlsh without a verb.
struct Given {
    std::optional<std::string> line;
    GivenWords files;  // one; more are an error
    bool quiet = false;
    bool verbose = false;
    bool force = false;
    bool version = false;
};

constexpr Subcommand whole{.about = "ip and bridge of iproute2, without exec"};

CommandLine command_line(Given& given) {
    std::vector<HelpRow> rows;
    for (const Subcommand& verb : subcommands())
        rows.push_back({std::string(verb.name), std::string(verb.about)});
    return {.options = {{.letter = 'c',
                         .value = "LINE",
                         .field = &given.line,
                         .help = "Run one shell command line"},
                        {.name = "version",
                         .letter = 'V',
                         .field = &given.version,
                         .help = "Print the version of nlsh, and of the iproute2 that it imitates"},
                        {.name = "quiet",
                         .letter = 'q',
                         .field = &given.quiet,
                         .help = "Don't name the command of a chain that failed"},
                        {.name = "verbose",
                         .letter = 'v',
                         .field = &given.verbose,
                         .help = "-c: name it even if stderr isn't a terminal"},
                        {.name = "force",
                         .field = &given.force,
                         .help = "FILE: go on after a line that fails; the exit status is then 1"}},
            .operand = {.name = "[FILE]",
                        .field = &given.files,
                        .help = "Run a file of command lines, one a line; - is standard input"},
            .after = "\nSubcommands:\n" + help_rows(rows) +
                     "\n`nlsh SUBCOMMAND --help` lists its options.\n"};
}

// The verb that a mistyped word may mean; empty: none.
std::string_view meant(const std::string& word) {
    constexpr size_t farthest = 2;
    std::string_view nearest;
    size_t least = farthest + 1;
    for (const Subcommand& verb : subcommands()) {
        const size_t far = distance(word, verb.name);
        if (far >= least) continue;
        least = far;
        nearest = verb.name;
    }
    return nearest;
}

// An error about a misplaced word: a verb or a second file after other words. Empty: none.
std::string misplaced(const Given& given, const GivenWords& words) {
    const GivenWords& files = given.files;
    const auto verb = std::ranges::find_if(files, [](const std::string& word) {
        return find_subcommand(subcommands(), word) != nullptr;
    });
    if (verb != files.end()) {
        const std::string& before =
            verb != files.begin() ? verb[-1] : given.line.value_or(words[0]);
        return fmt::format("'{}' is before the command {}", before, *verb);
    }
    if (files.size() > 1) return fmt::format("not expected: {}", files[1]);
    if (given.line && !files.empty())
        return fmt::format("'{}' is after the line of -c: quote the line", files[0]);
    return {};
}

int run_lines(const Given& given) {
    const Naming asked = given.verbose ? Naming::always : Naming::on_terminal;
    const Naming naming = given.quiet ? Naming::never : asked;
    if (given.line) return LineRunner(naming).run_last(*given.line);
    if (given.files.empty()) return complain_of_usage("no line, no file and no command");
    const std::string& file = given.files[0];
    if (file != "-" && access(file.c_str(), F_OK) != 0) {
        const std::string_view command = meant(file);
        return fail(127, "nlsh: {}: no such file or command{}\n", file,
                    command.empty() ? "" : fmt::format("; did you mean `nlsh {}`?", command));
    }
    return run_script({.file = file, .force = given.force, .quiet = given.quiet});
}

int run_without_verb(GivenWords words) {
    // sh takes `-c -- LINE`, too.
    const auto line = std::ranges::find(words, "-c");
    if (line != words.end() && line + 1 != words.end() && line[1] == "--") words.erase(line + 1);
    Given given;
    if (const auto ended = read_arguments(whole, command_line(given), words)) return *ended;
    if (const std::string wrong = misplaced(given, words); !wrong.empty())
        return complain_of_usage(wrong);
    if (!given.version) return run_lines(given);
    const Subcommand* version = find_subcommand(subcommands(), "version");
    return version->run(*version, {});
}

// `nlsh help`, `nlsh help VERB`.
int help(const GivenWords& words) {
    if (words.size() < 2) return run_without_verb({"--help"});
    const Subcommand* verb = find_subcommand(subcommands(), words[1]);
    if (verb == nullptr)
        return complain_of_usage(fmt::format("help: '{}' is no command of nlsh", words[1]));
    return verb->run(*verb, {"--help"});
}

}  // namespace

std::optional<int> quick_main(int argc, char** argv) {
    if (const auto tool = personality(argv[0])) return run_personality(*tool, argc, argv);
    // `nlsh ip …` and `nlsh bridge …` are those commands.
    if (argc > 1 && std::string_view(argv[1]).find('/') == std::string_view::npos) {
        if (const auto tool = personality(argv[1]))
            return run_personality(*tool, argc - 1, argv + 1);
    }
    if (const auto status = run_spawned(argc, argv)) return status;
    const bool quiet = argc == 4 && std::string_view(argv[1]) == "-q";
    if (argc == 3 + quiet && std::string_view(argv[1 + quiet]) == "-c") {
        return LineRunner(quiet ? Naming::never : Naming::on_terminal).run_last(argv[2 + quiet]);
    }
    return {};
}

int nlsh_main(int argc, char** argv) {
    const GivenWords words(argv + (argc > 0 ? 1 : 0), argv + argc);
    if (words.empty()) return run_without_verb(words);
    if (words[0] == "help") return help(words);
    const Subcommand* verb = find_subcommand(subcommands(), words[0]);
    if (verb == nullptr) return run_without_verb(words);
    return verb->run(*verb, GivenWords(words.begin() + 1, words.end()));
}

}  // namespace nlsh
