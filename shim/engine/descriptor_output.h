// Output to a file descriptor.
#pragma once

#include "backend/output.h"

namespace nlsh {

// Doesn't own the descriptor. Writes everything, retrying on EINTR; SIGPIPE is the caller's to
// decide.
class DescriptorOutput final : public Output {
  public:
    explicit DescriptorOutput(int descriptor) : descriptor_(descriptor) {}
    bool write(std::string_view bytes) override;
    int error() const override { return error_; }
    std::optional<bool> is_terminal() const override;
    // Something was to be written.
    bool used() const { return used_; }

  private:
    int descriptor_;
    bool used_ = false;
    bool broken_ = false;
    int error_ = 0;
};

}  // namespace nlsh
