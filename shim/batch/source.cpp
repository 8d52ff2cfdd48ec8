#include "shim/batch/source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "backend/descriptor.h"
#include "backend/read_file.h"

namespace nlsh {
namespace {

bool is_plain(int descriptor) {
    struct stat status;
    return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

// Appends everything up to the end. False: not readable.
bool read_all(int descriptor, std::string& text) {
    ssize_t got = 1;
    while (got > 0)
        got = read_some(descriptor, text);
    return got == 0;
}

}  // namespace

std::optional<BatchSource> BatchSource::open(const std::string& name) {
    BatchSource source;
    if (name != "-") {
        const Descriptor file(::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
        if (!file || !is_plain(file.get()) || !read_all(file.get(), source.text_)) return {};
        return source;
    }
    // If stdin is closed, the first file that iproute2 opens becomes its standard input.
    if (fcntl(STDIN_FILENO, F_GETFD) < 0) return {};
    source.whole_ = is_plain(STDIN_FILENO);
    if (!source.whole_) return source;
    source.start_ = lseek(STDIN_FILENO, 0, SEEK_CUR);
    if (!read_all(STDIN_FILENO, source.text_)) {
        lseek(STDIN_FILENO, *source.start_, SEEK_SET);
        return {};
    }
    return source;
}

BatchSource BatchSource::of_text(std::string text) {
    BatchSource source;
    source.text_ = std::move(text);
    return source;
}

void BatchSource::read_more() {
    // Drop consumed lines: a stream may never end.
    text_.erase(0, consumed_);
    consumed_ = 0;
    if (read_some(STDIN_FILENO, text_) <= 0) whole_ = true;
}

void BatchSource::consume(const BatchLine& line) {
    consumed_ += line.size;
    line_ += line.lines;
}

void BatchSource::leave(size_t further) const {
    if (start_) lseek(STDIN_FILENO, *start_ + static_cast<off_t>(consumed_ + further), SEEK_SET);
}

}  // namespace nlsh
