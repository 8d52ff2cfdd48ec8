// nlsh-mock: implements `nlsh mock` and `nlsh record`. A separate executable, because every start
// of nlsh would pay for its YAML parser and C++ streams.
#include <array>
#include <exception>

#include "shim/cli/abouts.h"
#include "shim/cli/subcommands.h"
#include "shim/log/message.h"
#include "shim/mock/command.h"
#include "shim/mock/record.h"

namespace nlsh {
namespace {

Option by_path_option(AnsweredProgram& program) {
    return {.name = "path",
            .field = &program.by_path,
            .help =
                "For programs that exec ip and bridge (scripts, Python's subprocess): use PATH "
                "instead of the preload"};
}

int record_verb(const Subcommand& verb, const GivenWords& given) {
    RecordCommand command;
    bool scn = false;
    bool mock = false;
    const CommandLine line{.options = {{.name = "output",
                                        .letter = 'o',
                                        .value = "FILE",
                                        .field = &command.output,
                                        .help = "The output file; default: stdout, at the end"},
                                       {.name = "scn",
                                        .field = &scn,
                                        .help = "Print a block for the twin harness",
                                        .excludes = "mock"},
                                       {.name = "mock",
                                        .field = &mock,
                                        .help = "Record the answers, too, for `nlsh mock`"},
                                       by_path_option(command.program)},
                           .program = {.begins = ProgramWords::Begins::after_options,
                                       .words = &command.program.words}};
    if (const auto ended = read_arguments(verb, line, given)) return *ended;
    if (command.program.words.empty())
        return complain_of_no_program("record [OPTION…] PROGRAM ARGUMENT…");
    if (scn) command.form = RecordCommand::Form::scn;
    if (mock) command.form = RecordCommand::Form::mock;
    return record(command);
}

int mock_verb(const Subcommand& verb, const GivenWords& given) {
    MockCommand command;
    const CommandLine line{
        .options = {{.name = "fail",
                     .value = "RULE",
                     .field = &command.failures,
                     .help = "'\"PATTERN\" with \"MESSAGE\" status N times N': let matching lines "
                             "fail"},
                    {.name = "report",
                     .value = "FILE",
                     .field = &command.report,
                     .help = "Write the report to this file, as JSON"},
                    {.name = "quiet",
                     .letter = 'q',
                     .field = &command.quiet,
                     .help = "Report only differences from the scenario"},
                    by_path_option(command.program)},
        .operand = {.name = "[SCENARIO]",
                    .field = &command.scenario,
                    .help = "A file of YAML; its form is in nlsh-mock(1)"},
        .program = {.begins = ProgramWords::Begins::after_dashes, .words = &command.program.words}};
    if (const auto ended = read_arguments(verb, line, given)) return *ended;
    if (command.program.words.empty())
        return complain_of_no_program("mock SCENARIO [OPTION…] -- PROGRAM ARGUMENT…");
    return mock(command);
}

constexpr std::array<Subcommand, 2> mock_subcommands{{
    {"record", about_record, record_verb},
    {"mock", about_mock, mock_verb},
}};

int run_mocking(int argc, char** argv) {
    const GivenWords words(argv + (argc > 1 ? 2 : 1), argv + argc);
    const Subcommand* verb = find_subcommand(mock_subcommands, argc > 1 ? argv[1] : "");
    if (verb == nullptr) return complain_of_usage("nlsh-mock is run by nlsh mock and nlsh record");
    return verb->run(*verb, words);
}

}  // namespace
}  // namespace nlsh

int main(int argc, char** argv) {
    nlsh::reserve_standard_descriptors();
    try {
        return nlsh::run_mocking(argc, argv);
    } catch (const std::exception& error) {  // no memory
        return nlsh::fail(1, "nlsh: {}\n", error.what());
    }
}
