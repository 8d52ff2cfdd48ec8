// Runs a function on a stack of our own, with all signals blocked: a program's thread may have 16
// KiB only, and its signal handlers may call popen or system themselves.
#pragma once

#include <atomic>
#include <csignal>
#include <cstddef>

namespace nlsh {

// So many calls at once; with more, the others take the real way. Must lie in zeroed memory, and be
// zeroed again in a forked child (the stacks that were busy there are lost).
class OwnStacks {
  public:
    // What the function is given: its argument, and the signals that the calling thread blocks.
    using Function = void (*)(void* argument, const sigset_t& callers);

    // Calls function(argument, …). False: no stack is to be had, and nothing was called.
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
