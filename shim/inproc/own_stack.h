// Runs a function on a stack of our own, with all signals blocked: a program's thread may have only
// 16 KiB, and its signal handlers may call popen or system themselves.
#pragma once

#include <atomic>
#include <csignal>
#include <cstddef>

namespace nlsh {

// The most calls at once; further calls fall back. Must lie in zeroed memory, and be zeroed again
// in a forked child (busy stacks are lost there).
class OwnStacks {
  public:
    // Gets the argument, and the signals that the calling thread blocks.
    using Function = void (*)(void* argument, const sigset_t& callers);

    // Calls function(argument, …). False: there is no free stack, and nothing was called.
    bool run(Function function, void* argument);

  private:
    static constexpr size_t count = 16;
    struct Slot {
        std::atomic<bool> busy;
        std::atomic<char*> memory;
    };
    Slot slots_[count];
};

}  // namespace nlsh
