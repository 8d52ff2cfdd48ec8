// Where a worker receives its requests.
#pragma once

#include <sys/mman.h>

#include <span>

#include "shim/wire/wire.h"

namespace nlsh {

// A mapping of its own: pages that no request has needed take no memory, while malloc would give
// pages that others have used.
class FrameMemory {
  public:
    FrameMemory()
        : memory_(mmap(nullptr, NLSH_REQUEST_MAX, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {}
    ~FrameMemory() {
        if (memory_ != MAP_FAILED) munmap(memory_, NLSH_REQUEST_MAX);
    }
    FrameMemory(const FrameMemory&) = delete;
    FrameMemory& operator=(const FrameMemory&) = delete;
    // Empty when there is no memory.
    std::span<char> bytes() const {
        if (memory_ == MAP_FAILED) return {};
        return {static_cast<char*>(memory_), NLSH_REQUEST_MAX};
    }

  private:
    void* const memory_;
};

}  // namespace nlsh
