// Qualifies an unknown build of iproute2 in the background, when the first line meets it.
#pragma once

namespace nlsh {

// For a process of nlsh's own that is about to run or become the real tool (`nlsh -c`, the shim).
// Returns at once. Starts nothing if the builds are known, if another process qualifies them, if
// that failed lately, or if init isn't there to reap the process. Never in a program that uses the
// engine: nothing of its own may wait for our child, or get its signal.
void qualify_at_first_use();

// For the server, before it drops its rights: the process is its child, and is reaped by itself.
void qualify_at_start();

}  // namespace nlsh
