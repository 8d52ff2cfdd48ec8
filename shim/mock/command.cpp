#include "shim/mock/command.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <thread>

#include "shim/json/json.h"
#include "shim/log/message.h"
#include "shim/mock/play.h"

namespace nlsh {
namespace {

constexpr int not_found = 127;  // a shell's status for a missing command

constexpr int unusable = 2;  // for a bad scenario, as for wrong usage

std::expected<std::string, std::string> text_of(const std::string& file) {
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored))
        return std::unexpected(fmt::format("{}: {}", file, strerror(EISDIR)));
    std::ifstream opened(file);
    std::string text{std::istreambuf_iterator<char>(opened), {}};
    if (!opened) return std::unexpected(fmt::format("{}: {}", file, strerror(errno)));
    return text;
}

std::expected<Scenario, std::string> load(const MockCommand& command) {
    Scenario scenario;
    scenario.unexpected_real = true;
    if (!command.scenario.empty()) {
        const auto text = text_of(command.scenario);
        if (!text) return std::unexpected(text.error());
        auto read = read_scenario(*text);
        if (!read) return std::unexpected(fmt::format("{}:{}", command.scenario, read.error()));
        scenario = std::move(*read);
        scenario.file = command.scenario;
    }
    for (const std::string& rule : command.failures) {
        const auto failure = read_failure(rule);
        if (!failure) return std::unexpected(failure.error());
        scenario.failures.push_back(*failure);
    }
    if (command.scenario.empty() && command.failures.empty())
        return std::unexpected("no scenario: nlsh mock SCENARIO -- PROGRAM");
    return scenario;
}

std::optional<GivenAnswer> answer(Play& play, const AskedLine& asked) {
    const Expectation* expectation = play.next(asked.line);
    if (expectation == nullptr && play.unexpected_real()) return {};
    if (expectation == nullptr) {
        return GivenAnswer{.output = {},
                           .error = fmt::format("nlsh mock: unexpected: {}\n", asked.line),
                           .wait_status = W_EXITCODE(not_found, 0)};
    }
    std::this_thread::sleep_for(expectation->delay);
    if (expectation->real) return {};
    return GivenAnswer{.output = expectation->output,
                       .error = expectation->error,
                       .wait_status = W_EXITCODE(expectation->status, 0)};
}

bool write_report(std::ofstream& out, const Play& play) {
    out << json_text(play.json(), 2) << '\n';
    return static_cast<bool>(out.flush());
}

}  // namespace

int mock(const MockCommand& command) {
    auto scenario = load(command);
    if (!scenario) return fail(unusable, "nlsh mock: {}\n", scenario.error());
    std::ofstream report;
    if (!command.report.empty()) report.open(command.report);
    if (!report) return fail(unusable, "nlsh mock: {}: {}\n", command.report, strerror(errno));
    Play play(std::move(*scenario));
    const int status = run_answered(
        command.program, [&play](const AskedLine& asked) { return answer(play, asked); });
    const bool satisfied = play.satisfied();
    if (!command.quiet || !satisfied) {
        say("nlsh mock: {}\n{}", satisfied ? "all as expected" : "NOT as expected", play.report());
    }
    if (!command.report.empty() && !write_report(report, play))
        return fail(1, "nlsh mock: {}: can't be written\n", command.report);
    return status != 0 || satisfied ? status : 1;
}

}  // namespace nlsh
