#include "shim/lines/line_reader.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "backend/read_file.h"

namespace nlsh {

LineReader::LineReader(const std::string& file) : descriptor_(STDIN_FILENO) {
    if (file != "-") {
        file_ = Descriptor(open(file.c_str(), O_RDONLY | O_CLOEXEC));
        if (!file_) error_ = errno;
        descriptor_ = file_.get();
    }
    struct stat status;
    if (error_ != 0 || fstat(descriptor_, &status) != 0) return;
    if (S_ISDIR(status.st_mode)) error_ = EISDIR;
    if (S_ISREG(status.st_mode)) total_ = static_cast<size_t>(status.st_size);
}

std::optional<LineReader> LineReader::again() const {
    if (total_ == 0) return {};
    // Opening by /proc gives a new file description, with its own offset.
    const std::string path = fmt::format("/proc/self/fd/{}", descriptor_);
    Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    const off_t place = lseek(descriptor_, 0, SEEK_CUR);
    if (!file || place < 0 || lseek(file.get(), place, SEEK_SET) != place) return {};
    return LineReader(std::move(file));
}

bool LineReader::read_block() {
    waited_ = true;
    before_ += block_.size();
    block_.clear();
    const ssize_t got = read_some(descriptor_, block_);
    if (got < 0) error_ = errno;
    at_ = 0;
    return got > 0;
}

bool LineReader::next(std::string& line) {
    line.clear();
    bool any = false;
    while (at_ < block_.size() || read_block()) {
        any = true;
        const size_t newline = block_.find('\n', at_);
        line.append(block_, at_, newline - at_);
        at_ = newline == block_.npos ? block_.size() : newline + 1;
        if (newline != block_.npos) break;
    }
    if (line.ends_with('\r')) line.pop_back();
    return any;
}

}  // namespace nlsh
