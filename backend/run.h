// Runs one typed request: netlink out, text or JSON back. Returns the exit status of ip or bridge.
#pragma once

#include <expected>

#include "backend/context.h"
#include "parser/ip/request.h"
#include "parser/try.h"

namespace nlsh {

// The exit status of a command. Converts from an error, too, so that a function that returns it may
// use TRY on expressions with a status in place of a value. The reason of the error is already
// printed.
class ExitStatus {
  public:
    ExitStatus(int status) : status_(status) {}
    ExitStatus(std::unexpected<int> status) : status_(status.error()) {}
    operator int() const { return status_; }

  private:
    int status_;
};

int run(Context& context, const Command& command);

// One overload for each request, beside its object (backend/objects/link/change.cpp, …).
#define NLSH_RUN(T) ExitStatus run(Context& context, const Options& options, const T& request);
NLSH_REQUESTS(NLSH_RUN)
#undef NLSH_RUN

}  // namespace nlsh
