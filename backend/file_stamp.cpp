#include "backend/file_stamp.h"

#include <sys/stat.h>

namespace nlsh {
namespace {

constexpr int64_t nanoseconds(const timespec& t) {
    return t.tv_sec * int64_t{1'000'000'000} + t.tv_nsec;
}

}  // namespace

FileStamp file_stamp(const std::string& path) {
    struct stat status;
    if (stat(path.c_str(), &status) != 0) return {};
    return {status.st_dev, status.st_ino, status.st_size, nanoseconds(status.st_mtim),
            nanoseconds(status.st_ctim)};
}

}  // namespace nlsh
