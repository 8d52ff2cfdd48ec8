// A temporary directory that only this process's user can access.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

namespace nlsh {

// /tmp/nlsh-PURPOSE-XXXXXX, mode 0700; the destructor removes it with its contents. An empty path:
// no directory; errno says why.
class PrivateDirectory {
  public:
    explicit PrivateDirectory(std::string_view purpose)
        : path_(fmt::format("/tmp/nlsh-{}-XXXXXX", purpose)) {
        if (mkdtemp(path_.data()) == nullptr) path_.clear();
    }
    ~PrivateDirectory() {
        std::error_code ignored;
        if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
    }
    PrivateDirectory(const PrivateDirectory&) = delete;
    PrivateDirectory& operator=(const PrivateDirectory&) = delete;
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

}  // namespace nlsh
