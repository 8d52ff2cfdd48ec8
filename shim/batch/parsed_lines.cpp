#include "shim/batch/parsed_lines.h"

#include <system_error>
#include <utility>

namespace nlsh {
namespace {

constexpr size_t chunk_size = 128;
constexpr size_t chunks_ahead = 8;
// A thread costs as much as a hundred lines.
constexpr size_t long_text = size_t{32} * 1024;

}  // namespace

ParsedLines::~ParsedLines() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

ParsedLines::Next ParsedLines::parse(std::string_view text, bool whole) const {
    auto line = read_batch_line(text, whole);
    if (!line) return std::unexpected(std::move(line.error()));
    if (!*line) return std::nullopt;
    Parsed<Command> command = declined("no words");
    if (!(*line)->words.empty())
        command = parse_batch_line(call_.invocation.options, (*line)->words, call_.names);
    return ParsedLine{std::move(**line), std::move(command)};
}

ParsedLines::Next ParsedLines::next(std::string_view text, bool whole) {
    const bool ahead =
        thread_.joinable() || (whole && !alone_ && text.size() >= long_text && start_ahead(text));
    if (!ahead) return parse(text, whole);
    if (taken_ == chunk_.size()) take_chunk();
    return std::move(chunk_[taken_++]);
}

bool ParsedLines::start_ahead(std::string_view text) {
    alone_ = std::thread::hardware_concurrency() < 2;
    if (alone_) return false;
    call_.names.load_all();  // not from two threads
    try {
        thread_ = std::thread([this, text] { parse_ahead(text); });
    } catch (const std::system_error&) {
        alone_ = true;
    }
    return !alone_;
}

void ParsedLines::parse_ahead(std::string_view text) {
    while (!text.empty()) {
        Chunk chunk;
        chunk.reserve(chunk_size);
        bool readable = true;
        while (readable && !text.empty() && chunk.size() < chunk_size) {
            Next next = parse(text, true);
            readable = next.has_value() && next->has_value();
            if (readable) text.remove_prefix((*next)->line.size);
            chunk.push_back(std::move(next));
        }
        if (!hand_in(std::move(chunk)) || !readable) return;
    }
}

bool ParsedLines::hand_in(Chunk chunk) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return stop_ || waiting_.size() < chunks_ahead; });
    if (stop_) return false;
    waiting_.push_back(std::move(chunk));
    lock.unlock();
    changed_.notify_one();
    return true;
}

void ParsedLines::take_chunk() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !waiting_.empty(); });
    chunk_ = std::move(waiting_.front());
    waiting_.pop_front();
    taken_ = 0;
    const bool room = waiting_.size() < chunks_ahead / 2;
    lock.unlock();
    if (room) changed_.notify_one();
}

}  // namespace nlsh
