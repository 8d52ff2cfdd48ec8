// `ip -echo`: a change of a link, an address, a route, a rule or a nexthop prints the kernel's
// notification of it.
#pragma once

#include "backend/context.h"
#include "parser/ip/options.h"

namespace nlsh {

// Sends a change and reports it as report_change does; with -echo also prints the notification.
// Returns the exit status. Commits first, so nothing can fall back afterwards.
int send_change(Context& context, const Options& options, Channel& channel, Message& message);

}  // namespace nlsh
