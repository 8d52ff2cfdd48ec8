#include "shim/cli/line.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "shim/cli/line_reader.h"
#include "shim/cli/progress.h"
#include "shim/cli/tool.h"
#include "shim/engine/caller.h"
#include "shim/engine/descriptor_output.h"
#include "shim/engine/disabled.h"
#include "shim/engine/exit_status.h"
#include "shim/engine/tools.h"
#include "shim/verify/in_process.h"

namespace nlsh {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t remembered = 16;

int run_shell(const std::string& line) {
    const int status = system(line.c_str());
    return status == -1 ? 127 : exit_status(status);
}

// The words of a line in which the shell changes nothing.
std::vector<std::string> plain_words(std::string_view line) {
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,@%+ ";
    std::vector<std::string> words;
    if (line.find_first_not_of(plain) != line.npos) return words;
    while (!line.empty()) {
        const size_t end = std::min(line.find(' '), line.size());
        if (end > 0) words.emplace_back(line.substr(0, end));
        line.remove_prefix(std::min(end + 1, line.size()));
    }
    return words;
}

// Not of interest to anybody but the reader of the terminal or log: after the command's own errors.
void say(std::string_view text) {
    DescriptorOutput(STDERR_FILENO).write(fmt::format("nlsh: {}\n", text));
}

}  // namespace

LineRunner::LineRunner(bool quiet)
    : engine_(0, Engine::Process::script),
      caller_(own_environment(true)),
      quiet_(quiet),
      disabled_(disabled_reason()),
      sampler_(own_verify_rate()) {
    engine_.remember(remembered);
}

void LineRunner::name_failures(const Prepared& prepared, const Evaluation& evaluation) const {
    if (quiet_ || evaluation.status == 0 || prepared.program.commands < 2) return;
    if (evaluation.failures.empty()) return;
    say(describe_failure(evaluation));
}

std::expected<int, Decline> LineRunner::run_native(std::string_view line) {
    if (!disabled_.empty()) return declined(disabled_);
    const auto start = Clock::now();
    const auto prepared = engine_.prepare(line, caller_);
    if (!prepared) return std::unexpected(prepared.error());
    if ((*prepared)->program.read_only && sampler_.due()) {
        if (const auto status = verify_line(line, **prepared, session_, files_)) return *status;
    }
    DescriptorOutput out(STDOUT_FILENO);
    DescriptorOutput err(STDERR_FILENO);
    const size_t written = files_.written();
    const auto evaluation = Engine::run(**prepared, session_, out, err, files_);
    if (out.used() || err.used() || files_.written() != written) doubt();
    if (!evaluation) return std::unexpected(evaluation.error());
    const auto elapsed =
        std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start);
    trace_.native("nlsh", line, *evaluation, static_cast<uint64_t>(elapsed.count()));
    name_failures(**prepared, *evaluation);
    return evaluation->status;
}

std::optional<int> LineRunner::run_batch(std::string_view line, bool last) const {
    if (!disabled_.empty()) return {};
    const std::vector<std::string> words = plain_words(line);
    const auto tool = words.empty() ? std::nullopt : ToolFinder(caller_.path).tool(words[0]);
    if (!tool || !caller_.unsupported.empty()) return {};
    const Words options = Words(words).subspan(1);
    const auto invocation = parse_invocation(*tool, options);
    if (!invocation || invocation->batch == 0 || !invocation->netns.empty()) return {};
    // Where lines come from standard input, they may be on it.
    if (!last && options[invocation->batch] == "-") return {};
    const auto start = Clock::now();
    const auto result = run_tool(*tool, words[0].c_str(), options);
    if (!result) return {};
    if (!result->handed_over.empty()) {
        trace_.handed_over("nlsh", line, result->handed_over);
    } else {
        const auto elapsed =
            std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start);
        trace_.native("nlsh", line, Evaluation{.status = result->status, .failures = {}},
                      static_cast<uint64_t>(elapsed.count()));
    }
    return result->status;
}

int LineRunner::run(std::string_view line) {
    const auto status = run_native(line);
    if (status) return *status;
    doubt();
    if (const auto batch = run_batch(line, false)) return *batch;
    trace_.handed_over("nlsh", line, status.error().reason);
    return run_shell(std::string(line));
}

int LineRunner::run_last(std::string_view line) {
    const auto status = run_native(line);
    if (status) return *status;
    if (const auto batch = run_batch(line, true)) return *batch;
    trace_.handed_over("nlsh", line, status.error().reason);
    const std::string text(line);
    execl("/bin/sh", "sh", "-c", text.c_str(), static_cast<char*>(nullptr));
    say(fmt::format("/bin/sh: {}", strerror(errno)));
    return 127;
}

int run_script(const std::string& file, bool force, bool quiet) {
    LineReader lines(file);
    if (lines.error() != 0) {
        say(fmt::format("cannot read {}: {}", file, strerror(lines.error())));
        return 127;
    }
    LineRunner runner(quiet);
    Progress progress(STDERR_FILENO, quiet ? nullptr : getenv("TERM"));
    int result = 0;
    std::string line;
    for (int number = 1; lines.next(line); ++number) {
        const size_t start = line.find_first_not_of(" \t\r");
        if (start == line.npos || line[start] == '#') continue;
        if (lines.waited()) runner.doubt();
        const int status = runner.run(line);
        progress.at(lines.done(), lines.total());
        if (status == 0) continue;
        if (!quiet)
            say(fmt::format("{}:{}: failed with status {}: {}", file, number, status, line));
        if (!force) return status;
        result = 1;
    }
    return result;
}

}  // namespace nlsh
