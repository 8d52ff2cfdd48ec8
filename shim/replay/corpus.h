// What compat-tests/replay/pack has written: lines, what of iproute2 each uses, and the tapes of
// its processes (tape.h).
#pragma once

#include <deque>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "backend/descriptor.h"

namespace nlsh {

void append_item(std::string& text, char kind, std::string_view content);

struct RecordedLine {
    std::string_view label;
    size_t build = 0;                      // a number among Corpus::builds
    std::vector<std::string_view> units;   // proven.h
    std::vector<std::string_view> traits;  // by which nlsh's way was chosen
    std::string_view probe;                // the command that a build is asked (probe.h)
    std::vector<size_t> tapes;             // numbers of its processes' tapes
};

// The same of a line that nobody has recorded (made_lines.h).
struct MadeLine {
    std::string label;
    size_t build = 0;
    std::vector<std::string> units;
    std::vector<std::string_view> traits;  // which a recorded line has
    std::string tape;                      // the items of its one process
};

class Corpus {
  public:
    // Unpacks a file. The error is a sentence.
    static std::expected<Corpus, std::string> read(const std::string& path);
    Corpus(Corpus&& other) noexcept;
    Corpus& operator=(Corpus&&) = delete;
    ~Corpus();

    // Programs that have been started find them, too. False: they couldn't be written.
    bool add(std::vector<MadeLine> made);

    const Descriptor& file() const { return file_; }  // unpacked, in memory
    const std::vector<std::string_view>& builds() const { return builds_; }
    // The words of iproute2 that nlsh knows.
    const std::vector<std::string_view>& words() const { return words_; }
    const std::vector<RecordedLine>& lines() const { return lines_; }
    size_t tapes() const { return tapes_.size(); }
    // The items of a recorded process.
    std::string_view tape(size_t number) const { return tapes_[number]; }

  private:
    Corpus() = default;
    bool index();

    Descriptor file_;
    std::string_view bytes_;  // of the mapped file
    std::vector<std::string_view> builds_;
    std::vector<std::string_view> words_;
    std::vector<RecordedLine> lines_;
    std::vector<std::string_view> tapes_;
    std::deque<MadeLine> made_;
};

}  // namespace nlsh
