// Tells by a stat whether files are as they were.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <unordered_map>

namespace nlsh {

// Identifies a version of a file, or of a directory's entries.
struct FileStamp {
    dev_t device = 0;
    ino_t inode = 0;
    off_t size = 0;
    int64_t modified = 0;  // nanoseconds
    int64_t changed = 0;
    bool executable = false;  // a mount may forbid that, and leaves the file's times
    bool operator==(const FileStamp&) const = default;
};

// Follows links. All 0: there is no file.
FileStamp stamp_of(const std::string& path);

// The stamps of files and directories, each from before it was looked at.
class Stamps {
  public:
    // False: it was there.
    bool add(const std::string& path);
    // All are as they were.
    bool hold() const;
    // Some file was so young when it was added that its next change may leave its times as they
    // are.
    bool unsettled() const { return unsettled_; }
    void clear() { *this = {}; }

  private:
    std::unordered_map<std::string, FileStamp> known_;
    bool unsettled_ = false;
};

}  // namespace nlsh
