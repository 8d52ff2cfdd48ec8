// A file descriptor that is closed with its owner.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <utility>

namespace nlsh {

class File {
  public:
    // O_CLOEXEC is added; errno says why there is none.
    explicit File(const char* path, int flags = O_RDONLY, mode_t mode = 0)
        : descriptor_(open(path, flags | O_CLOEXEC, mode)) {}
    ~File() {
        if (descriptor_ >= 0) close(descriptor_);
    }
    File(File&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    File& operator=(File&&) = delete;
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    int get() const { return descriptor_; }  // -1: not opened
    explicit operator bool() const { return descriptor_ >= 0; }

  private:
    int descriptor_;
};

}  // namespace nlsh
