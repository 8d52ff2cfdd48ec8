#include "shim/mock/record.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <vector>

#include "backend/read_file.h"
#include "shim/lines/lines.h"
#include "shim/log/message.h"
#include "shim/mock/scenario.h"
#include "shim/netns/netns.h"
#include "shim/process/captured.h"
#include "shim/process/exit_status.h"

namespace nlsh {
namespace {

// Runs the line as the caller would, except for changes that the caller made in its own environment
// since its start.
std::optional<GivenAnswer> run_real(const AskedLine& asked) {
    const bool elsewhere = netns_of(asked.connection) != own_netns();
    const Descriptor netns = elsewhere ? open_netns_of(asked.connection) : Descriptor();
    if (elsewhere && !netns) return {};
    std::error_code ignored;
    const auto captured = run_captured(
        {.line = asked.line,
         .environment = split_at_nul(read_file(fmt::format("/proc/{}/environ", asked.caller))),
         .directory =
             std::filesystem::read_symlink(fmt::format("/proc/{}/cwd", asked.caller), ignored),
         .netns = netns.get()});
    if (!captured) return {};
    return GivenAnswer{captured->output, captured->error, captured->wait_status};
}

class Recorder {
  public:
    explicit Recorder(bool answers) : answers_(answers) {}

    std::optional<GivenAnswer> operator()(const AskedLine& asked) {
        std::optional<GivenAnswer> answer;
        if (answers_) answer = run_real(asked);
        const std::lock_guard lock(mutex_);
        RecordedCall& call = calls_.emplace_back();
        call.line = asked.line;
        if (!answer) return {};
        call.output = answer->output;
        call.error = answer->error;
        call.status = exit_status(answer->wait_status);
        return answer;
    }
    const std::vector<RecordedCall>& calls() const { return calls_; }

  private:
    const bool answers_;
    std::mutex mutex_;
    std::vector<RecordedCall> calls_;
};

std::string as_lines(const std::vector<RecordedCall>& calls, const std::string& program) {
    std::string text = fmt::format("# what {} ran, {} lines\n", program, calls.size());
    for (const RecordedCall& call : calls)
        text += as_line(call.line);
    return text;
}

// compat-tests/README.md describes the format. A block can't contain a line with a newline.
std::string as_block(const std::vector<RecordedCall>& calls, const std::string& program) {
    std::string text = fmt::format("## what {} ran\n", program);
    for (const RecordedCall& call : calls) {
        const std::string line = as_line(call.line);
        text += line.starts_with('#') ? "# left out, " + line.substr(1) : line;
    }
    return text;
}

std::string text_of(const RecordCommand& command, const std::vector<RecordedCall>& calls) {
    const std::string& program = command.program.words[0];
    if (command.form == RecordCommand::Form::mock) return write_scenario(calls);
    return command.form == RecordCommand::Form::scn ? as_block(calls, program)
                                                    : as_lines(calls, program);
}

}  // namespace

int record(const RecordCommand& command) {
    std::ofstream file;
    if (!command.output.empty()) file.open(command.output);
    if (!file) return fail(2, "nlsh record: {}: {}\n", command.output, strerror(errno));
    Recorder recorder(command.form == RecordCommand::Form::mock);
    const int status = run_answered(command.program, std::ref(recorder));
    const std::string text = text_of(command, recorder.calls());
    if (command.output.empty()) return print(text) == 0 ? status : 1;
    if (file << text << std::flush) return status;
    return fail(1, "nlsh record: {}: {}\n", command.output, strerror(errno));
}

}  // namespace nlsh
