// The files that a line may use in the server: /proc/sys and /dev/null.
#pragma once

#include <functional>

#include "backend/descriptor.h"
#include "backend/shell/evaluate.h"

namespace nlsh {

// Acts in the calling thread's network namespace. No path leaves /proc/sys: no "..", no symbolic
// link.
class ProcFiles final : public Files {
  public:
    using Enter = std::function<bool()>;
    // enter: moves the calling thread into the network namespace; false: it can't.
    explicit ProcFiles(Enter enter = [] { return true; }) : enter_(std::move(enter)) {}
    std::expected<std::unique_ptr<Output>, int> open(const std::string& path, bool append) override;
    std::expected<std::string, int> read(const std::string& path) override;
    std::expected<unsigned, int> mode(const std::string& path) override;

  private:
    // The error is an errno.
    std::expected<Descriptor, int> open_beneath(const std::string& path, int flags) const;

    Enter enter_;
};

}  // namespace nlsh
