// "Command failed -:N" becomes "Command failed FILE:N".
#pragma once

#include <string>
#include <string_view>

#include "backend/output.h"

namespace nlsh {

// Filters the stderr of a batch that reads standard input. Holds back only the beginning of a line
// that may be this message.
class FailureNames {
  public:
    FailureNames(std::string file, Output& out) : file_(std::move(file)), out_(out) {}
    void write(std::string_view bytes);
    void end();

  private:
    static constexpr std::string_view pattern = "Command failed -:";

    std::string file_;
    Output& out_;
    size_t matched_ = 0;    // bytes of the pattern at the line's beginning, held back
    bool in_line_ = false;  // past the place of the pattern
};

}  // namespace nlsh
