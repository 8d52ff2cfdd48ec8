// The lines of a batch as commands. A thread parses them while the kernel works on earlier ones,
// when the text is long.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "parser/ip/batch.h"
#include "parser/ip/command.h"
#include "shim/batch/batch.h"

namespace nlsh {

struct ParsedLine {
    BatchLine line;
    Parsed<Command> command;  // of a line with words
};

class ParsedLines {
  public:
    explicit ParsedLines(const BatchCall& call) : call_(call) {}
    ~ParsedLines();
    ParsedLines(const ParsedLines&) = delete;
    ParsedLines& operator=(const ParsedLines&) = delete;

    // Nothing: the line isn't all there yet. Decline: it can't be split into words.
    using Next = Parsed<std::optional<ParsedLine>>;
    // The line that `text` begins with; whole: nothing more comes. Each call's text follows what
    // the last one gave.
    Next next(std::string_view text, bool whole);

  private:
    using Chunk = std::vector<Next>;

    Next parse(std::string_view text, bool whole) const;
    bool start_ahead(std::string_view text);
    void parse_ahead(std::string_view text);
    bool hand_in(Chunk chunk);
    void take_chunk();

    const BatchCall& call_;
    Chunk chunk_;
    size_t taken_ = 0;  // of chunk_
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Chunk> waiting_;
    bool stop_ = false;
    bool alone_ = false;  // no thread is to be had
    std::thread thread_;
};

}  // namespace nlsh
