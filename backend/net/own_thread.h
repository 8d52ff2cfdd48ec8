// Runs code that changes its thread's namespaces on a thread of its own, which then ends.
#pragma once

#include <functional>

namespace nlsh {

// Waits for the end of `function`, and throws what it threw. The thread needn't find its way back,
// which the kernel may refuse. False: no thread is available, and nothing has run.
bool run_on_own_thread(const std::function<void()>& function);

}  // namespace nlsh
