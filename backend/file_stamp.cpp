#include "backend/file_stamp.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>

namespace nlsh {
namespace {

// Timestamps may advance only once a second (some file systems) or once a tick (the kernel).
constexpr int64_t settling = int64_t{2'500'000'000};  // nanoseconds

constexpr int64_t nanoseconds(const timespec& t) {
    return t.tv_sec * int64_t{1'000'000'000} + t.tv_nsec;
}

bool is_settled(const FileStamp& stamp) {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    return stamp.changed + settling < nanoseconds(now);
}

}  // namespace

FileStamp stamp_of(const std::string& path) {
    struct stat status;
    if (stat(path.c_str(), &status) != 0) return {};
    constexpr mode_t anybody = S_IXUSR | S_IXGRP | S_IXOTH;
    const bool program = S_ISREG(status.st_mode) && (status.st_mode & anybody) != 0;
    return {.device = status.st_dev,
            .inode = status.st_ino,
            .size = status.st_size,
            .modified = nanoseconds(status.st_mtim),
            .changed = nanoseconds(status.st_ctim),
            .executable = program && access(path.c_str(), X_OK) == 0};
}

bool Stamps::add(const std::string& path) {
    if (known_.contains(path)) return false;
    const FileStamp& stamp = known_.emplace(path, stamp_of(path)).first->second;
    unsettled_ = unsettled_ || !is_settled(stamp);
    return true;
}

bool Stamps::hold() const {
    return std::ranges::all_of(
        known_, [](const auto& each) { return stamp_of(each.first) == each.second; });
}

}  // namespace nlsh
