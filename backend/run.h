// Runs one typed request: netlink out, text or JSON back. Returns the exit status of ip or bridge.
#pragma once

#include "backend/context.h"
#include "backend/exit_status.h"
#include "parser/ip/request.h"
#include "parser/try.h"

namespace nlsh {

int run(Context& context, const Command& command);

// One overload for each request, beside its object (backend/link/change.cpp, …).
#define NLSH_RUN(T) ExitStatus run(Context& context, const Options& options, const T& request);
NLSH_REQUESTS(NLSH_RUN)
#undef NLSH_RUN

}  // namespace nlsh
