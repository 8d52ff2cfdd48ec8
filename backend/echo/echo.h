// `ip -echo`: a change of a link, an address, a route, a rule or a nexthop prints what the kernel
// tells of it.
#pragma once

#include "backend/context.h"
#include "parser/ip/options.h"

namespace nlsh {

// Sends a change and reports it as report_change does; with -echo its notification is printed, too.
// The exit status. Commits first: nothing can fall back after it.
int send_change(Context& context, const Options& options, Channel& channel, Message& message);

}  // namespace nlsh
