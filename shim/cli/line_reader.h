// The lines of a file, or of standard input as they come.
#pragma once

#include <string>

#include "shim/server/descriptor.h"

namespace nlsh {

class LineReader {
  public:
    // "-" is standard input.
    explicit LineReader(const std::string& file);

    // errno when the file couldn't be opened.
    int error() const { return error_; }
    // The next line without its newline; false at the end.
    bool next(std::string& line);

  private:
    bool read_block();

    Descriptor file_;
    int descriptor_;
    int error_ = 0;
    std::string block_;
    size_t at_ = 0;
};

}  // namespace nlsh
