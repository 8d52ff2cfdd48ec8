#include "shim/cli/operator.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shim/doctor/doctor.h"
#include "shim/mock/command.h"
#include "shim/record/command.h"
#include "shim/stats/commands.h"
#include "shim/wire/wire.h"

namespace nlsh {

namespace {

int no_program(const char* usage) {
    std::fprintf(stderr, "nlsh: no program: nlsh %s\n", usage);
    return 2;
}

}  // namespace

struct OperatorCommands::Given {
    std::string socket = NLSH_DEFAULT_SOCKET;
    bool json = false;
    bool prometheus = false;
    bool reset = false;
    double seconds = 1;
    unsigned rounds = 0;
    DoctorCommand doctoring;
    MockCommand mocking;
    RecordCommand recording;
    AnsweredProgram program;
    std::vector<std::pair<const CLI::App*, std::function<int()>>> commands;

    void add_socket(CLI::App* command) {
        command->add_option("--socket", socket, "Prefix of the server's sockets")
            ->type_name("PATH")
            ->envname("NLSH_SOCKET")
            ->capture_default_str();
    }
    void add_stats(CLI::App& app);
    void add_top(CLI::App& app);
    void add_doctor(CLI::App& app);
    void add_record(CLI::App& app);
    void add_mock(CLI::App& app);
};

void OperatorCommands::Given::add_stats(CLI::App& app) {
    CLI::App* stats = app.add_subcommand("stats", "What the server has done since its start");
    add_socket(stats);
    CLI::Option* as_json = stats->add_flag("--json", json, "As JSON");
    stats->add_flag("--prometheus", prometheus, "In the text format of Prometheus")
        ->excludes(as_json);
    stats->add_flag("--reset", reset, "Count from 0 again, after these have been shown");
    commands.emplace_back(stats, [this] {
        return show_statistics(socket,
                               prometheus ? StatisticsForm::prometheus
                               : json     ? StatisticsForm::json
                                          : StatisticsForm::text,
                               reset);
    });
}

void OperatorCommands::Given::add_top(CLI::App& app) {
    CLI::App* top = app.add_subcommand("top", "What the server does, live");
    add_socket(top);
    top->add_option("-d,--delay", seconds, "Seconds between two looks")
        ->check(CLI::Range(0.1, 86400.0))
        ->capture_default_str();
    top->add_option("-n,--rounds", rounds, "End after so many looks");
    commands.emplace_back(top, [this] { return watch_statistics(socket, seconds, rounds); });
}

void OperatorCommands::Given::add_doctor(CLI::App& app) {
    CLI::App* command = app.add_subcommand("doctor", "Is all in place, and what to do if not");
    add_socket(command);
    command->add_flag("--json", doctoring.json, "As JSON");
    command->add_option("TARGET", doctoring.targets,
                        "Programs (paths) and processes (numbers) that nlsh is meant for");
    commands.emplace_back(command, [this] {
        doctoring.socket_prefix = socket;
        return doctor(doctoring);
    });
}

void OperatorCommands::Given::add_record(CLI::App& app) {
    using Form = RecordCommand::Form;
    CLI::App* command =
        app.add_subcommand("record", "Collect the command lines that a program runs");
    command->add_option("-o,--output", recording.output, "Where to; else stdout, at the end");
    command->add_flag_callback(
        "--scn", [this] { recording.form = Form::scn; }, "As a block for the twin harness");
    command->add_flag_callback(
        "--mock", [this] { recording.form = Form::mock; }, "With the answers, for `nlsh mock`");
    command->add_flag(
        "--path", program.by_path,
        "For what execs ip and bridge (scripts, Python's subprocess): stand before them in "
        "PATH, without the preload");
    command->footer("PROGRAM and its arguments follow the options.");
    commands.emplace_back(command, [this] {
        recording.program = program;
        if (program.words.empty()) return no_program("record [OPTION…] PROGRAM ARGUMENT…");
        return record(recording);
    });
}

void OperatorCommands::Given::add_mock(CLI::App& app) {
    CLI::App* command = app.add_subcommand(
        "mock", "Run a program whose ip and bridge commands a scenario answers, without a kernel");
    command->add_option("SCENARIO", mocking.scenario,
                        "A file of YAML; its form is in nlsh-mock(1)");
    command->add_option(
        "--fail", mocking.failures,
        "'\"PATTERN\" with \"MESSAGE\" status N times N': fails these; all else is as it was");
    command->add_option("--report", mocking.report, "A file for what ran, as JSON");
    command->add_flag("-q,--quiet", mocking.quiet, "Report on stderr only what isn't as expected");
    command->add_flag(
        "--path", program.by_path,
        "For what execs ip and bridge (scripts, Python's subprocess): stand before them in "
        "PATH, without the preload");
    command->footer("-- PROGRAM and its arguments follow the options.");
    commands.emplace_back(command, [this] {
        mocking.program = program;
        if (program.words.empty())
            return no_program("mock SCENARIO [OPTION…] -- PROGRAM ARGUMENT…");
        return mock(mocking);
    });
}

void OperatorCommands::take_program(std::vector<std::string>& words) {
    if (words.empty() || (words[0] != "record" && words[0] != "mock")) return;
    const bool records = words[0] == "record";
    size_t at = 1;
    for (; at < words.size() && words[at] != "--"; ++at) {
        if (!records) continue;
        if (!words[at].starts_with('-')) break;
        if (words[at] == "-o" || words[at] == "--output") ++at;
    }
    at = std::min(at, words.size());
    const bool dashes = at < words.size() && words[at] == "--";
    const auto program = words.begin() + static_cast<ptrdiff_t>(at);
    given_->program.words.assign(program + (dashes ? 1 : 0), words.end());
    words.erase(program, words.end());
}

OperatorCommands::OperatorCommands(CLI::App& app) : given_(std::make_unique<Given>()) {
    given_->add_stats(app);
    given_->add_top(app);
    given_->add_doctor(app);
    given_->add_record(app);
    given_->add_mock(app);
}

OperatorCommands::~OperatorCommands() = default;

std::optional<int> OperatorCommands::run() const {
    for (const auto& [command, run] : given_->commands) {
        if (command->parsed()) return run();
    }
    return {};
}

}  // namespace nlsh
