// The exit status of a command.
#pragma once

#include <expected>

namespace nlsh {

// What a command returns. It can also be made of an error, so that such a function may TRY what
// gives a status in place of a value. Whoever gives one has printed why.
class ExitStatus {
  public:
    ExitStatus(int status) : status_(status) {}
    ExitStatus(std::unexpected<int> status) : status_(status.error()) {}
    operator int() const { return status_; }

  private:
    int status_;
};

}  // namespace nlsh
