// Answers the server's callers after the server was killed.
#pragma once

#include "shim/audit/audit.h"
#include "shim/journal/journal.h"
#include "shim/server/listeners.h"

namespace nlsh {

// Starts the heir: a process that shares the server's descriptors and journals, and sleeps until
// the server dies. Connections and netlink sockets are still open then. The kernel's answer to the
// last request is in the socket's queue or in the journal. So the heir can tell each caller the
// truth:
//
//   Nothing of the line has run: the caller falls back.
//   Everything has run: the caller gets the status and the output.
//   A part has run: the heir runs the rest. It walks through the line once more and answers
//     recorded requests from the journal, so it sends nothing twice.
//   The state is unknown, because the line has written something, or has done something that the
//     journal doesn't record: the connection ends, and the caller reports a command killed by
//     signal 9.
//
// The heir costs a call no system call. If the heir is killed, too, all callers get the last case.
//
// Call it before there are threads, because it forks. The heir drops the same rights as the server.
// Without memory or a free process there is no heir. audit: may be null.
void start_heir(Journals& journals, Listeners& listeners, Audit* audit);

}  // namespace nlsh
