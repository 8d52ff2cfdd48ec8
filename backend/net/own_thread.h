// Runs code that changes its thread's namespaces on a new thread, which then ends.
#pragma once

#include <functional>

namespace nlsh {

// Waits for the end of `function`, and rethrows its exception. A new thread doesn't have to return
// to its namespace, which the kernel may refuse. False: no thread is available, and nothing has
// run.
bool run_on_own_thread(const std::function<void()>& function);

}  // namespace nlsh
