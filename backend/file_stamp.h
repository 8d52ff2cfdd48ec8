// What tells one version of a file from another.
#pragma once

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

// Of the file or directory that the path leads to; all zeroes: there is none.
FileStamp file_stamp(const std::string& path);

}  // namespace nlsh
