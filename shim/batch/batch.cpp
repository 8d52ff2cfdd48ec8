#include "shim/batch/batch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "backend/context.h"
#include "backend/net/batch_transport.h"
#include "backend/objects/link/kinds/kinds.h"
#include "backend/run.h"
#include "parser/ip/batch.h"
#include "parser/ip/command.h"
#include "parser/ip/traits/trait_names.h"
#include "shim/batch/block_output.h"
#include "shim/batch/held_back.h"
#include "shim/batch/remainder.h"
#include "shim/engine/caller.h"
#include "shim/engine/disabled.h"
#include "shim/files/descriptor_output.h"
#include "shim/files/same_file.h"

namespace nlsh {
namespace {

struct ParsedLine {
    BatchLine line;
    Parsed<Command> command = declined("no words");
};

// Parses the line at the start of `text`. nullopt: the line isn't complete (never if `whole`).
// Declines a line that can't be split into words. Parsing ahead in another thread gains nothing:
// fetching a command from another processor's cache takes as long as parsing it.
Parsed<std::optional<ParsedLine>> parse_line(const BatchCall& call, std::string_view text,
                                             bool whole) {
    auto line = read_batch_line(text, whole);
    if (!line) return std::unexpected(std::move(line.error()));
    if (!*line) return std::nullopt;
    std::optional<ParsedLine> parsed(std::in_place);
    parsed->line = std::move(**line);
    if (!parsed->line.words.empty()) {
        parsed->command =
            parse_batch_line(call.invocation.options, parsed->line.words, call.names, link_kinds());
        // Such a batch of iproute2 has its own mounts, which end with the batch.
        if (parsed->command && !call.invocation.netns.empty() &&
            parsed->command->request.is<NetnsFile>())
            parsed->command = declined("batch: netns with -netns");
    }
    return parsed;
}

bool ends_batch(const Command& command, int status) {
    using Ends = VerbProperties::Ends;
    return command.is.ends_batch == Ends::always ||
           (command.is.ends_batch == Ends::if_it_fails && status != 0);
}

// Send up to this many system calls' worth of lines ahead, so that the kernel never waits for us.
constexpr size_t most_posted = 4;

struct Outcome {
    int status = 0;
    std::string out;
    std::string err;
};

// 0: output is written at once.
size_t block_of(const BatchCall& call) {
    const bool blocks = call.invocation.options.traits.has(Trait::writes_blocks);
    return blocks ? stdio_block(STDOUT_FILENO) : 0;
}

// A line whose change is queued but not sent.
struct Waiting {
    Command command;
    size_t number;
    bool said;  // the line printed something, to show in order
};

class Batch {
  public:
    Batch(const BatchCall& call, BatchSource& source)
        : call_(call),
          source_(source),
          name_(call.words[call.invocation.batch]),
          held_(block_of(call) != 0 && source.whole() && same_file(STDOUT_FILENO, STDERR_FILENO)),
          out_(blocks_, block_of(call)) {
        look_ahead();
    }

    std::expected<BatchResult, Decline> run();

  private:
    void look_ahead();
    // nullopt: the batch has ended.
    Parsed<std::optional<ParsedLine>> next();
    // Declines if a line before the next change would fall back.
    Parsed<void> read_shows_ahead() const;
    // True: the batch ends with this line. A declined line has done nothing.
    Parsed<bool> run_line(ParsedLine& line);
    Parsed<Outcome> run_command(const Command& command);
    std::expected<Channel, int> open(bool strict);
    bool queue(Command& command, size_t number);
    bool try_queue(Command& command, size_t number);
    void post();
    void collect();
    void settle();
    void conclude(const Outcome& outcome, size_t number);
    std::expected<BatchResult, Decline> fall_back(const Decline& decline);

    const BatchCall& call_;
    BatchSource& source_;
    const std::string& name_;
    size_t independent_;  // up to this byte, lines don't depend on each other
    const ColorWishes colors_ = own_environment(false).colors;
    std::unique_ptr<BatchTransport> transport_;  // null: no socket could be opened
    Session session_{Session::Threads::none, [this](bool strict) { return open(strict); }};
    std::vector<Waiting> waiting_;
    std::deque<std::vector<Waiting>> posted_;  // sent to the kernel
    DescriptorOutput stdout_{STDOUT_FILENO};
    DescriptorOutput stderr_{STDERR_FILENO};
    // If stdout and stderr are one file and output comes in blocks, a reader could see where the
    // real binary takes over. So hold shows back: if a line falls back, the real binary runs them
    // all. If too much is held, write only if no known line before the next change would fall back.
    HeldBack held_;
    HeldBackOutput blocks_{stdout_, held_};
    HeldBackOutput err_{stderr_, held_};
    BlockOutput out_;
    int ending_ = 0;  // the status of a line that ended the batch
    bool failed_ = false;
    bool begun_ = false;
};

// Most changes go over this channel, which caches names, as iproute2 does, and queues changes. If
// its socket breaks, opens another one and keeps the queue.
std::expected<Channel, int> Batch::open(bool strict) {
    auto kernel = Channel::transport(strict);
    if (!kernel) return std::unexpected(kernel.error());
    if (strict == (call_.tool == Tool::ip)) return Channel(std::move(*kernel));
    if (transport_)
        transport_->replace(std::move(*kernel));
    else
        transport_ = std::make_unique<BatchTransport>(std::move(*kernel));
    return Channel(std::make_unique<BorrowedTransport>(*transport_));
}

// Finds out which of the lines that have arrived are independent.
void Batch::look_ahead() {
    const bool ip = call_.tool == Tool::ip;
    independent_ = ip && !source_.rest().empty()
                       ? independent_part(source_.rest(), call_.invocation.options.traits)
                       : SIZE_MAX;
}

Parsed<std::optional<ParsedLine>> Batch::next() {
    for (;;) {
        if (source_.whole() && source_.rest().empty()) return std::nullopt;
        const bool dependent = source_.consumed() >= independent_ && !source_.rest().empty();
        if (dependent) return declined("batch: state of earlier lines");
        auto line = parse_line(call_, source_.rest(), source_.whole());
        if (!line || *line) return line;
        settle();
        source_.read_more();
        if (std::string reason = disabled_reason(); !reason.empty())
            return declined(std::move(reason));
        look_ahead();
        begun_ = true;
    }
}

Parsed<void> Batch::read_shows_ahead() const {
    std::string_view rest = source_.rest();
    for (size_t place = source_.consumed(); !rest.empty();) {
        if (place >= independent_) return declined("batch: state of earlier lines");
        auto line = TRY(parse_line(call_, rest, true));
        if (!line->line.words.empty()) {
            if (!line->command) return std::unexpected(std::move(line->command.error()));
            if (!line->command->is.read_only) return {};
        }
        place += line->line.size;
        rest.remove_prefix(line->line.size);
    }
    return {};
}

Parsed<Outcome> Batch::run_command(const Command& command) {
    StringOutput out;
    StringOutput err;
    Context context{
        .session = session_, .names = call_.names, .out = &out, .err = &err, .colors = colors_};
    const int status = nlsh::run(context, command);
    if (call_.names.corrupted) context.fall_back("a file of /etc/iproute2 is corrupted");
    if (context.fallback) return std::unexpected(*context.fallback);
    // Some such failures end iproute2's batch at once, without "Command failed".
    if (status != 0 && !context.committed) return declined("batch: fails before it changes");
    return Outcome{status, std::move(out.text), std::move(err.text)};
}

void Batch::conclude(const Outcome& outcome, size_t number) {
    // Before 7.1, iproute2 flushes its output before it reports the failed line.
    out_.write(outcome.out);
    err_.write(outcome.err);
    if (outcome.status == 0) return;
    failed_ = true;
    err_.write(fmt::format("Command failed {}:{}\n", name_, number));
}

void Batch::post() {
    if (waiting_.empty()) return;
    transport_->post();
    posted_.push_back(std::exchange(waiting_, {}));
    while (posted_.size() > most_posted)
        collect();
}

void Batch::collect() {
    transport_->collect();
    const std::vector<Waiting> lines = std::move(posted_.front());
    posted_.pop_front();
    for (size_t place = 0; place < lines.size(); ++place) {
        if (!transport_->notable(place) && !lines[place].said) continue;
        transport_->replay(place);
        if (const auto outcome = run_command(lines[place].command))
            conclude(*outcome, lines[place].number);
    }
    transport_->stop_queueing();
}

// Sends all queued changes and prints all results.
void Batch::settle() {
    post();
    while (!posted_.empty())
        collect();
}

// False: the change can't be queued; nothing has been done.
bool Batch::queue(Command& command, size_t number) {
    if (try_queue(command, number)) return true;
    if (!transport_->full()) return false;
    post();
    return try_queue(command, number);
}

bool Batch::try_queue(Command& command, size_t number) {
    const size_t before = transport_->queued();
    transport_->start_queueing();
    const auto outcome = run_command(command);
    transport_->stop_queueing();
    if (transport_->behind()) transport_->drop(before);
    if (transport_->queued() == before) return false;
    const bool said = !outcome || !outcome->out.empty() || !outcome->err.empty();
    held_.release();
    waiting_.push_back({std::move(command), number, said});
    return true;
}

Parsed<bool> Batch::run_line(ParsedLine& parsed) {
    const BatchLine& line = parsed.line;
    if (!parsed.command) return std::unexpected(parsed.command.error());
    Command& command = *parsed.command;
    // Later lines, which may use this state, aren't known yet.
    if (command.is.memory.shows_links && !source_.whole())
        return declined("batch: leaves state to later lines");
    const size_t number = source_.line() + line.lines;
    const bool names_change = takes_name_away(command.is.memory, line);
    const bool waits = call_.invocation.force && transport_ != nullptr && command.is.queued;
    if (waits && !names_change && queue(command, number)) return false;
    settle();
    if (names_change && transport_ != nullptr) transport_->forget_names();
    if (waits && !names_change && queue(command, number)) return false;
    const auto outcome = run_command(command);
    if (!outcome) return std::unexpected(outcome.error());
    if (!command.is.read_only) held_.release();
    if (!ends_batch(command, outcome->status)) {
        conclude(*outcome, number);
        return false;
    }
    out_.write(outcome->out);
    err_.write(outcome->err);
    ending_ = outcome->status;
    return true;
}

std::expected<BatchResult, Decline> Batch::fall_back(const Decline& decline) {
    settle();
    if (!begun_) {
        source_.rewind();
        source_.leave();
        return std::unexpected(decline);
    }
    const int status = run_remainder(call_, source_, out_);
    return BatchResult{.status = status == 0 && failed_ ? 1 : status,
                       .fallback = fmt::format("line {}: {}", source_.line() + 1, decline.reason)};
}

std::expected<BatchResult, Decline> Batch::run() {
    (void)(call_.tool == Tool::ip ? session_.loose() : session_.rtnl());
    bool ended = false;
    while (!ended) {
        auto line = next();
        if (!line) return fall_back(line.error());
        if (!*line) break;
        if (!(*line)->line.words.empty()) {
            const auto ends = run_line(**line);
            if (!ends) return fall_back(ends.error());
            ended = *ends;
            begun_ = !held_.holds();
        }
        source_.consume((*line)->line);
        if (held_.full()) {
            if (auto native = read_shows_ahead(); !native) return fall_back(native.error());
            held_.release();
            begun_ = true;
        }
        if (failed_ && !call_.invocation.force) break;
    }
    settle();
    out_.flush();
    held_.release();
    source_.leave();
    const int status = ended ? ending_ : failed_ ? 1 : 0;
    return BatchResult{.status = status, .fallback = {}};
}

}  // namespace

std::expected<BatchResult, Decline> run_batch(const BatchCall& call,
                                              std::optional<BatchSource> input) {
    const Traits& traits = call.invocation.options.traits;
    if (traits[Trait::writes_blocks] == Traits::Answer::unknown)
        return declined(unknown_trait(traits, Trait::writes_blocks));
    auto source = input ? std::move(input) : BatchSource::open(call.words[call.invocation.batch]);
    if (!source) return declined("batch: not a plain file");
    return Batch(call, *source).run();
}

}  // namespace nlsh
