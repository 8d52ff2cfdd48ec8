// Identifies a version of a file, or of a directory's entries.
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <cstdint>
#include <string>

namespace nlsh {

struct FileStamp {
    dev_t device = 0;
    ino_t inode = 0;
    off_t size = 0;
    int64_t modified = 0;  // nanoseconds
    int64_t changed = 0;
    bool operator==(const FileStamp&) const = default;
};

constexpr int64_t nanoseconds(const timespec& t) {
    return t.tv_sec * int64_t{1'000'000'000} + t.tv_nsec;
}

inline FileStamp stamp_of(const struct stat& status) {
    return {status.st_dev, status.st_ino, status.st_size, nanoseconds(status.st_mtim),
            nanoseconds(status.st_ctim)};
}

// Follows links. All 0: there is no file.
inline FileStamp stamp_of(const std::string& path) {
    struct stat status;
    return stat(path.c_str(), &status) == 0 ? stamp_of(status) : FileStamp{};
}

}  // namespace nlsh
