// Who answers the server's callers when it has been killed.
#pragma once

#include "shim/audit/audit.h"
#include "shim/journal/journal.h"
#include "shim/server/listeners.h"

namespace nlsh {

// A process beside the server that has its descriptors and its journals, and sleeps until it dies.
// The connections and the netlink sockets are still open then, and what the kernel has answered to
// a request that was under way when its thread was killed lies in the socket's queue, or in the
// journal. So each caller is told what is so:
//
//   nothing of its line has run: to take the real way;
//   all has run: the status and the output;
//   a part has run: the rest is run now. The line is walked through once more, and is answered
//     from the journal what the kernel answered before: nothing is sent twice;
//   it can't be told, for something was written, or done by other ways than the journal knows: the
//     connection ends, and the caller reports a command killed by signal 9.
//
// It costs a call no system call. What kills it as well as the server leaves callers the last.
//
// Forks: before there are threads. It drops the same rights as the server. Without memory or a
// process to be had there is none.
// audit: may be null.
void start_heir(Journals& journals, Listeners& listeners, Audit* audit);

}  // namespace nlsh
