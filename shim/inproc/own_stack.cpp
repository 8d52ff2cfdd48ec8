#include "shim/inproc/own_stack.h"

#include <sys/mman.h>
#include <ucontext.h>

#include <cstdint>
#include <new>

namespace nlsh {
namespace {

constexpr size_t page = 4096;
constexpr size_t size = size_t{1} << 20;  // pages are touched only when used

// Lies at the upper end of the stack.
struct Frame {
    ucontext_t callee;
    ucontext_t caller;
    OwnStacks::Function function;
    void* argument;
};

// makecontext(3) passes ints.
void enter(unsigned high, unsigned low) {
    const auto address = static_cast<uintptr_t>((uint64_t{high} << 32) | low);
    auto* frame = reinterpret_cast<Frame*>(address);
    frame->function(frame->argument, frame->caller.uc_sigmask);
}

char* make_stack() {
    void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
    mprotect(memory, page, PROT_NONE);
    return static_cast<char*>(memory);
}

constexpr size_t top = (size - sizeof(Frame)) & ~size_t{63};

// The frame is made once: getcontext's system call isn't repeated for each call.
void prepare(char* memory) {
    getcontext(&(new (memory + top) Frame)->callee);
}

void run_on(char* memory, OwnStacks::Function function, void* argument) {
    auto* frame = std::launder(reinterpret_cast<Frame*>(memory + top));
    frame->function = function;
    frame->argument = argument;
    sigfillset(&frame->callee.uc_sigmask);
    frame->callee.uc_stack.ss_sp = memory + page;
    frame->callee.uc_stack.ss_size = top - page;
    frame->callee.uc_link = &frame->caller;
    const uint64_t address = reinterpret_cast<uintptr_t>(frame);
    makecontext(&frame->callee, reinterpret_cast<void (*)()>(&enter), 2,
                static_cast<unsigned>(address >> 32), static_cast<unsigned>(address));
    swapcontext(&frame->caller, &frame->callee);
}

}  // namespace

bool OwnStacks::run(Function function, void* argument) {
    for (Slot& slot : slots_) {
        if (slot.busy.exchange(true, std::memory_order_acquire)) continue;
        char* memory = slot.memory.load(std::memory_order_relaxed);
        if (memory == nullptr) {
            memory = make_stack();
            if (memory != nullptr) prepare(memory);
            slot.memory.store(memory, std::memory_order_relaxed);
        }
        if (memory != nullptr) run_on(memory, function, argument);
        slot.busy.store(false, std::memory_order_release);
        return memory != nullptr;
    }
    return false;
}

}  // namespace nlsh
