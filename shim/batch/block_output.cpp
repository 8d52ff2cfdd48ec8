#include "shim/batch/block_output.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

namespace nlsh {

bool BlockOutput::write(std::string_view bytes) {
    if (block_ == 0) return out_.write(bytes);
    held_ += bytes;
    // Like stdio, write a full buffer only when the next byte comes.
    if (held_.size() <= block_) return true;
    const size_t blocks = (held_.size() - 1) / block_ * block_;
    const bool written = out_.write(std::string_view(held_).substr(0, blocks));
    held_.erase(0, blocks);
    return written;
}

bool BlockOutput::flush() {
    return held_.empty() || out_.write(std::exchange(held_, {}));
}

size_t stdio_block(int descriptor) {
    struct stat file;
    if (isatty(descriptor) != 0) return 0;
    if (fstat(descriptor, &file) != 0 || file.st_blksize <= 0 || file.st_blksize >= BUFSIZ)
        return BUFSIZ;
    return static_cast<size_t>(file.st_blksize);
}

}  // namespace nlsh
