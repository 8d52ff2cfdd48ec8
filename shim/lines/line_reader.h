// The lines of a file, or of standard input as they come.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "backend/descriptor.h"

namespace nlsh {

class LineReader {
  public:
    // "-" is standard input.
    explicit LineReader(const std::string& file);

    // Another reader that starts at the current line; nullopt: the input can be read only once.
    std::optional<LineReader> again() const;

    // The errno if the file couldn't be opened or read.
    int error() const { return error_; }
    // The next line without its newline (also Windows's \r\n); false at the end.
    bool next(std::string& line);
    // Whether a read has waited for input since the last call of this function.
    bool waited() { return std::exchange(waited_, false); }
    // The bytes read so far, and the file's size (0: unknown).
    size_t done() const { return before_ + at_; }
    size_t total() const { return total_; }

  private:
    explicit LineReader(Descriptor file) : file_(std::move(file)), descriptor_(file_.get()) {}
    bool read_block();

    Descriptor file_;
    int descriptor_;
    int error_ = 0;
    bool waited_ = false;
    std::string block_;
    size_t at_ = 0;
    size_t before_ = 0;  // the block's place in the file
    size_t total_ = 0;
};

}  // namespace nlsh
