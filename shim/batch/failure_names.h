// "Command failed -:N" becomes "Command failed FILE:N".
#pragma once

#include <string>
#include <string_view>

#include "backend/output.h"

namespace nlsh {

// A filter over what a batch that reads standard input writes to stderr. Holds nothing back but the
// beginning of a line that may be that message.
class FailureNames {
  public:
    FailureNames(std::string file, Output& out) : file_(std::move(file)), out_(out) {}
    void write(std::string_view bytes);
    void end();  // nothing more comes

  private:
    static constexpr std::string_view pattern = "Command failed -:";

    std::string file_;
    Output& out_;
    size_t matched_ = 0;    // bytes of the pattern at this line's beginning; held back
    bool in_line_ = false;  // past where the pattern could be
};

}  // namespace nlsh
