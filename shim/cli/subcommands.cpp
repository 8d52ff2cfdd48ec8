#include "shim/cli/subcommands.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>

#include "shim/builds/version.h"
#include "shim/cli/abouts.h"
#include "shim/cli/explain_spawned.h"
#include "shim/doctor/doctor.h"
#include "shim/lines/explain.h"
#include "shim/lines/explain_file.h"
#include "shim/lines/progress.h"
#include "shim/log/message.h"
#include "shim/process/places.h"
#include "shim/process/words.h"
#include "shim/replay/qualify_builds.h"
#include "shim/run/run.h"
#include "shim/server/server.h"
#include "shim/stats/commands.h"
#include "shim/wire/wire.h"

namespace nlsh {
namespace {

Option socket_option(std::string& socket, const char* help = "Prefix of the server's sockets") {
    return {.name = "socket",
            .value = "PATH",
            .field = &socket,
            .help = help,
            .variable = "NLSH_SOCKET"};
}

Option json_option(bool& json) {
    return {.name = "json", .field = &json, .help = "As JSON"};
}

// Words of `serve` to convert to settings.
struct ServeWords {
    std::string mode = "0600";
    std::string log = "warning";
    bool unfiltered = false;
};

int serve_as_told(const Subcommand& verb, const ServeWords& words, ServerSettings& settings) {
    const std::string& mode = words.mode;
    if (mode.empty() || mode.size() > 4 || mode.find_first_not_of("01234567") != mode.npos)
        return complain_of_usage("serve: --mode takes an octal number", verb.name);
    settings.owner.mode = static_cast<unsigned>(std::stoul(mode, nullptr, 8));
    const auto level = level_of(words.log);
    if (!level)
        return complain_of_usage(fmt::format("--log: {} is no level", words.log), verb.name);
    settings.log = *level;
    settings.filtered = !words.unfiltered;
    settings.heir = true;
    return serve(settings);
}

int serve_verb(const Subcommand& verb, const GivenWords& given) {
    ServerSettings settings;
    ServeWords words;
    const CommandLine line{
        .options = {
            socket_option(settings.socket, "Prefix of the sockets, one for each processor"),
            {.name = "mode",
             .value = "MODE",
             .field = &words.mode,
             .help = "Mode of the sockets, in octal: at most 0660"},
            {.name = "group",
             .value = "GROUP",
             .field = &settings.owner.group,
             .help = "Group of the sockets"},
            {.name = "threads",
             .value = "NUMBER",
             .field = &settings.threads_max,
             .help = "The most lines that run at a time; further callers fall back",
             .least = 4,
             .most = 4096},
            {.name = "backlog",
             .value = "NUMBER",
             .field = &settings.owner.backlog,
             .help = "The most connections that wait on each socket; further callers fall back",
             .least = 1,
             .most = 65535},
            {.name = "remember",
             .value = "NUMBER",
             .field = &settings.remembered,
             .help = "The most parsed lines to cache",
             .least = 2,
             .most = 1 << 20},
            {.name = "no-seccomp",
             .field = &words.unfiltered,
             .help = "Install no system call filter: for valgrind and the like"},
            {.name = "proc",
             .field = &settings.by_proc,
             .help = "Inspect callers by /proc only, as on kernels before 6.11: for tests"},
            {.name = "decline-all",
             .field = &settings.decline_all,
             .help = "Decline every line: for statistics only"},
            {.name = "log",
             .value = "LEVEL",
             .field = &words.log,
             .help = "Messages on stderr: off, error, warning (chains that failed), info "
                     "(every line that failed)",
             .variable = "NLSH_LOG"},
            {.name = "verify",
             .value = "RATE",
             .field = &settings.verify,
             .help = "The share of read-only lines (1: all) that run both ways; callers get the "
                     "real tools' output, and differences are logged. Default: 0.001 for builds of "
                     "iproute2 that nlsh had to qualify, otherwise 0",
             .least = 0,
             .most = 1,
             .variable = "NLSH_VERIFY"},
            {.name = "verify-log",
             .value = "FILE",
             .field = &settings.verify_log,
             .help = "A file for the differences (JSON)",
             .variable = "NLSH_VERIFY_LOG"},
            {.name = "audit",
             .value = "FILE",
             .field = &settings.audit,
             .help = "Record who changes the network: to this file (JSON), or to journald "
                     "(\"journal\")"},
            {.name = "audit-rate",
             .value = "NUMBER",
             .field = &settings.audit_rate,
             .help = "The most records a second; ten times as many in a burst",
             .least = 1,
             .most = 100000},
        }};
    if (const auto ended = read_arguments(verb, line, given)) return *ended;
    return serve_as_told(verb, words, settings);
}

int run_verb(const Subcommand& verb, const GivenWords& given) {
    GivenWords words;
    const CommandLine line{.program = {.begins = ProgramWords::Begins::at_once,
                                       .words = &words,
                                       .help = "A program and its arguments"}};
    if (const auto ended = read_arguments(verb, line, given)) return *ended;
    return run_program(words);
}

int explain_verb(const Subcommand& verb, const GivenWords& given) {
    ExplainCommand command;
    std::optional<std::string> text;
    const CommandLine line{
        .options = {json_option(command.json),
                    {.name = "in-process",
                     .field = &command.in_process,
                     .help = "Answer for `nlsh -c`, not for the server"},
                    {.name = "min",
                     .value = "PERCENT",
                     .field = &command.least,
                     .help = "FILE: exit 0 if at least this share of the lines is native",
                     .least = 0,
                     .most = 100},
                    {.name = "allow",
                     .value = "PATTERNS",
                     .field = &command.allow,
                     .help = "FILE: lines that match a pattern of this file may fall back"}},
        .operand = {.name = "LINE",
                    .field = &text,
                    .help = "A shell command line, or a file of them; - is standard input",
                    // A word with a blank was quoted.
                    .whole = [](const std::string& word) {
                        return word.contains(' ') || names_lines(word);
                    }}};
    if (const auto ended = read_arguments(verb, line, given)) return *ended;
    if (!text) return complain_of_usage("LINE is required", verb.name);
    command.line = *text;
    if (names_lines(*text)) return explain_file(command);
    const int status = explain(command);
    if (status == 1 && !command.json) explain_spawned(command.line);
    return status;
}

int version_verb(const Subcommand& verb, const GivenWords& given) {
    if (const auto ended = read_arguments(verb, {}, given)) return *ended;
    return print(fmt::format("nlsh {} (iproute2 {})\n", own_version(), imitated_version()));
}

int stats_verb(const Subcommand& verb, const GivenWords& given) {
    std::string socket = NLSH_DEFAULT_SOCKET;
    bool json = false;
    bool prometheus = false;
    bool reset = false;
    const CommandLine line{
        .options = {
            socket_option(socket),
            json_option(json),
            {.name = "prometheus",
             .field = &prometheus,
             .help = "Print the text format of Prometheus",
             .excludes = "json"},
            {.name = "reset", .field = &reset, .help = "Set the counters to 0 afterwards"}}};
    if (const auto ended = read_arguments(verb, line, given)) return *ended;
    using Form = StatisticsForm;
    const Form form = prometheus ? Form::prometheus : json ? Form::json : Form::text;
    return show_statistics(socket, form, reset);
}

int top_verb(const Subcommand& verb, const GivenWords& given) {
    std::string socket = NLSH_DEFAULT_SOCKET;
    double seconds = 1;
    unsigned rounds = 0;
    const CommandLine line{.options = {socket_option(socket),
                                       {.name = "delay",
                                        .letter = 'd',
                                        .value = "SECONDS",
                                        .field = &seconds,
                                        .help = "Time between two looks",
                                        .least = 0.1,
                                        .most = 86400},
                                       {.name = "rounds",
                                        .letter = 'n',
                                        .value = "NUMBER",
                                        .field = &rounds,
                                        .help = "End after this number of looks"}}};
    if (const auto ended = read_arguments(verb, line, given)) return *ended;
    return watch_statistics(socket, seconds, rounds);
}

int doctor_verb(const Subcommand& verb, const GivenWords& given) {
    DoctorCommand command;
    command.socket_prefix = NLSH_DEFAULT_SOCKET;
    const CommandLine line{
        .options = {socket_option(command.socket_prefix), json_option(command.json)},
        .operand = {.name = "[TARGET…]",
                    .field = &command.targets,
                    .help = "Programs (paths) and processes (numbers) to check"}};
    if (const auto ended = read_arguments(verb, line, given)) return *ended;
    return doctor(command);
}

std::string counts_of(const char* name, const std::optional<Qualified>& tool) {
    if (!tool || tool->counts.same == 0)
        return fmt::format(
            "{}: it isn't an iproute2 that nlsh can tell anything of: all of it falls back\n",
            name);
    const Qualified::Counts& counts = tool->counts;
    std::string text = fmt::format(
        "{}: {} lines as recorded, {} not; rows: {} proven, {} contradicted, {} unproven\n", name,
        counts.same, counts.different, counts.proven, counts.contradicted, counts.unproven);
    constexpr size_t shown_max = 10;
    const auto& left = tool->proven.left();
    for (size_t i = 0; i < left.size() && i < shown_max; ++i)
        fmt::format_to(std::back_inserter(text), "  left to it: {}\n", left[i]);
    if (left.size() > shown_max)
        fmt::format_to(std::back_inserter(text), "  … and {} more\n", left.size() - shown_max);
    return text;
}

int qualify_and_say(bool quiet, bool if_needed) {
    const auto complain = [&](const std::string& error) {
        if (!quiet) say("nlsh qualify: {}\n", error);
        return 1;
    };
    const auto needless = [&] { return if_needed && !qualification_needed(); };
    if (needless()) return 0;
    const auto place = qualifying_place();
    if (!place) return complain(place.error());
    if (needless()) return 0;  // the process that it waited for has done it
    Progress progress(quiet ? -1 : STDERR_FILENO, getenv("TERM"));
    constexpr double whole = 1000;
    const auto found = qualify_builds(*place, [&](double share) {
        progress.at(
            {.done = static_cast<size_t>(share * whole), .total = static_cast<size_t>(whole)});
    });
    progress.hide();
    if (!found) return complain(found.error());
    if (quiet) return 0;
    return print(counts_of("ip", found->tools[0]) + counts_of("bridge", found->tools[1]));
}

int qualify_verb(const Subcommand& verb, const GivenWords& given) {
    bool quiet = false;
    bool if_needed = false;
    const CommandLine line{
        .options = {
            {.name = "quiet", .letter = 'q', .field = &quiet, .help = "Say nothing"},
            {.name = "if-needed",
             .field = &if_needed,
             .help = "Do nothing if the builds of ip and bridge are known, or were qualified"}}};
    if (const auto ended = read_arguments(verb, line, given)) return *ended;
    return qualify_and_say(quiet, if_needed);
}

// Runs a verb of nlsh-mock, a separate executable with libraries that no other verb needs.
int mock_executable(const Subcommand& verb, const GivenWords& given) {
    const std::string program = place_of("nlsh-mock");
    GivenWords words{"nlsh-mock", std::string(verb.name)};
    words.insert(words.end(), given.begin(), given.end());
    execv(program.c_str(), pointers(words).data());
    return fail(127, "nlsh {}: cannot run nlsh-mock: {}\n", verb.name, strerror(errno));
}

constexpr std::array<Subcommand, 10> own_subcommands{{
    {"serve", "Answer the preload's calls until SIGTERM", serve_verb},
    {"run", "Run a program under the preload with a private server", run_verb},
    {"explain", "Say whether a line is native, and if not, why", explain_verb},
    {"version", "Print the version, as --version", version_verb},
    {"stats", "Show what the server has done since its start", stats_verb},
    {"top", "Show what the server does, live", top_verb},
    {"doctor", "Check the installation, and suggest fixes", doctor_verb},
    {"qualify", "Find out which lines nlsh may run for this iproute2", qualify_verb},
    {"record", about_record, mock_executable},
    {"mock", about_mock, mock_executable},
}};

}  // namespace

std::span<const Subcommand> subcommands() {
    return own_subcommands;
}

const Subcommand* find_subcommand(std::span<const Subcommand> among, std::string_view name) {
    const auto found = std::ranges::find(among, name, &Subcommand::name);
    return found == among.end() ? nullptr : &*found;
}

}  // namespace nlsh
