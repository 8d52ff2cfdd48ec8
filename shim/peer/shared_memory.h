// Whose memory a process has: that of its parent, until it ends or execs, when vfork(2) made it.
#pragma once

#include <sys/types.h>

#include "backend/descriptor.h"

namespace nlsh {

// The parent of the process of this pidfd, as its number in our pid namespace; 0: it has none
// there, or this kernel doesn't tell (before Linux 6.13).
pid_t parent_of(const Descriptor& process);

// kcmp(2). True also of one and the same process.
bool share_memory(pid_t one, pid_t other);

}  // namespace nlsh
