// Answers the server's callers after the server was killed.
#pragma once

#include "shim/audit/audit.h"
#include "shim/journal/journal.h"
#include "shim/server/listeners.h"

namespace nlsh {

// A process beside the server that has its descriptors and journals, and sleeps until the server
// dies. Connections and netlink sockets are still open then. The kernel's answer to a request that
// was under way is in the socket's queue or in the journal. So each caller gets the truth:
//
//   nothing of its line has run: it falls back;
//   everything has run: the status and the output;
//   a part has run: the heir runs the rest. It walks through the line once more, and answers
//     recorded requests from the journal: nothing is sent twice;
//   the state is unknown, because something was written, or done by other means than the journal
//     records: the connection ends, and the caller reports a command killed by signal 9.
//
// It costs a call no system call. If both are killed, callers get the last.
//
// Forks: call it before there are threads. The heir drops the same rights as the server. Without
// memory or a free process there is no heir. audit: may be null.
void start_heir(Journals& journals, Listeners& listeners, Audit* audit);

}  // namespace nlsh
