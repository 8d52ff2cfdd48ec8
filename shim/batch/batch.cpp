#include "shim/batch/batch.h"

#include <fmt/format.h>
#include <unistd.h>

#include "backend/context.h"
#include "backend/run.h"
#include "parser/ip/command.h"
#include "shim/batch/remainder.h"
#include "shim/batch/source.h"
#include "shim/engine/caller.h"
#include "shim/engine/descriptor_output.h"

namespace nlsh {
namespace {

// Flushes may fail in the middle; filters of nexthops stay for later lines of the real one.
bool in_doubt(const Command& command) {
    const std::string_view summary = command.summary;
    return summary.ends_with(" flush") || (summary.starts_with("nexthop") && command.read_only);
}

class Batch {
  public:
    Batch(const BatchCall& call, BatchSource& source)
        : call_(call), source_(source), name_(call.words[call.invocation.batch]) {
        const bool ip = call.tool == Tool::ip;
        independent_ = ip && source.whole() ? independent_part(source.rest()) : SIZE_MAX;
    }

    std::expected<BatchResult, Decline> run();

  private:
    // True: there is another line, in line_. False: the end.
    Parsed<bool> next();
    // The status of line_. Decline: nothing of it has been done.
    Parsed<int> run_line();
    std::expected<BatchResult, Decline> hand_over(const Decline& decline);

    const BatchCall& call_;
    BatchSource& source_;
    const std::string& name_;
    size_t independent_;  // bytes up to where lines don't depend on each other
    BatchLine line_;
    const bool dark_background_ = own_environment().dark_background;
    Session session_;
    DescriptorOutput out_{STDOUT_FILENO};
    DescriptorOutput err_{STDERR_FILENO};
    bool exits_ = false;  // line_ ends the batch when it fails: that of neigh, even with -force
    bool failed_ = false;
    bool begun_ = false;
};

Parsed<bool> Batch::next() {
    for (;;) {
        if (source_.whole() && source_.rest().empty()) return false;
        if (source_.consumed() >= independent_) return declined("batch: state of earlier lines");
        auto line = read_batch_line(source_.rest(), source_.whole());
        if (!line) return std::unexpected(std::move(line.error()));
        if (*line) {
            line_ = std::move(**line);
            return true;
        }
        source_.read_more();
        begun_ = true;
    }
}

Parsed<int> Batch::run_line() {
    // What comes later isn't known yet.
    if (call_.tool == Tool::ip && !source_.whole() && leaves_state(line_))
        return declined("batch: leaves state to later lines");
    const auto command = parse_batch_line(call_.invocation.options, line_.words, call_.names);
    if (!command) return std::unexpected(command.error());
    if (in_doubt(*command)) return declined("batch: " + command->summary);
    exits_ = std::holds_alternative<NeighborChange>(command->request);
    StringOutput out;
    StringOutput err;
    Context context{.session = session_,
                    .names = call_.names,
                    .out = &out,
                    .err = &err,
                    .dark_background = dark_background_};
    const int status = nlsh::run(context, *command);
    if (context.handover) return std::unexpected(*context.handover);
    // Some of these end the real one's batch at once, without "Command failed".
    if (status != 0 && !context.committed) return declined("batch: fails before it changes");
    // In this order: whatever the real one has shown has been flushed before the line fails.
    out_.write(out.text);
    err_.write(err.text);
    return status;
}

std::expected<BatchResult, Decline> Batch::hand_over(const Decline& decline) {
    if (!begun_) {
        source_.leave();
        return std::unexpected(decline);
    }
    const int status = run_remainder(call_, source_);
    return BatchResult{
        .status = status == 0 && failed_ ? 1 : status,
        .handed_over = fmt::format("line {}: {}", source_.line() + 1, decline.reason)};
}

std::expected<BatchResult, Decline> Batch::run() {
    for (;;) {
        const auto more = next();
        if (!more) return hand_over(more.error());
        if (!*more) break;
        if (!line_.words.empty()) {
            const auto status = run_line();
            if (!status) return hand_over(status.error());
            begun_ = true;
            if (*status != 0 && exits_) {
                source_.consume(line_);
                source_.leave();
                return BatchResult{.status = *status, .handed_over = {}};
            }
            failed_ = failed_ || *status != 0;
            if (*status != 0) {
                err_.write(
                    fmt::format("Command failed {}:{}\n", name_, source_.line() + line_.lines));
            }
        }
        source_.consume(line_);
        if (failed_ && !call_.invocation.force) break;
    }
    source_.leave();
    return BatchResult{.status = failed_ ? 1 : 0, .handed_over = {}};
}

}  // namespace

std::expected<BatchResult, Decline> run_batch(const BatchCall& call) {
    auto source = BatchSource::open(call.words[call.invocation.batch]);
    if (!source) return declined("batch: not a plain file");
    return Batch(call, *source).run();
}

}  // namespace nlsh
