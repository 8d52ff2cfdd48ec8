// Runs one typed request: netlink out, text or JSON back. Returns the exit status of ip or bridge.
#pragma once

#include <expected>

#include "backend/context.h"
#include "parser/ip/request.h"
#include "parser/try.h"

namespace nlsh {

// A command's exit status. It also converts from an error, so that a function that returns it can
// use TRY on calls that return a status instead of a value. The error is already printed by then.
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
