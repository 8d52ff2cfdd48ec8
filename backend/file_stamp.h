// Tells by stat(2) whether files have changed.
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
    bool executable = false;  // a remount can change this without changing the times
    bool operator==(const FileStamp&) const = default;
};

// Follows links. All 0: there is no file.
FileStamp stamp_of(const std::string& path);

// Stamps of files and directories. Add each one before you read it.
class Stamps {
  public:
    // False: it was added before.
    bool add(const std::string& path);
    // No file has changed.
    bool hold() const;
    // Some file was so new when it was added that its next change may leave its times as they are.
    bool unsettled() const { return unsettled_; }
    void clear() { *this = {}; }

  private:
    std::unordered_map<std::string, FileStamp> known_;
    bool unsettled_ = false;
};

}  // namespace nlsh
