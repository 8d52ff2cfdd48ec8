// Whether a process has its parent's memory, as after vfork(2) until it ends or execs.
#pragma once

#include <sys/types.h>

#include "backend/descriptor.h"

namespace nlsh {

// The parent of the pidfd's process, as a number in our pid namespace; 0: it has none there, or the
// kernel can't tell (before Linux 6.13).
pid_t parent_of(const Descriptor& process);

// By kcmp(2). True also for one and the same process.
bool share_memory(pid_t one, pid_t other);

}  // namespace nlsh
