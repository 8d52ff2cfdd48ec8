// Files as this process sees them: for commands that run in process.
#pragma once

#include "backend/shell/evaluate.h"

namespace nlsh {

class ProcessFiles final : public Files {
  public:
    std::expected<std::unique_ptr<Output>, int> open(const std::string& path, bool append) override;
    std::expected<std::string, int> read(const std::string& path) override;
    std::expected<unsigned, int> mode(const std::string& path) override;
    // The number of files opened for writing, without settings of the kernel and /dev/null.
    size_t written() const { return written_; }

  private:
    size_t written_ = 0;
};

}  // namespace nlsh
