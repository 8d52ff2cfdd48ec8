// Imitates stdio's buffering: writes when the buffer is full, and at the end.
#pragma once

#include <string>

#include "backend/output.h"

namespace nlsh {

class BlockOutput final : public Output {
  public:
    // block: the buffer's bytes; 0: no buffer.
    BlockOutput(Output& out, size_t block) : out_(out), block_(block) {}
    bool write(std::string_view bytes) override;
    int error() const override { return out_.error(); }
    std::optional<bool> is_terminal() const override { return out_.is_terminal(); }
    bool flush();
    bool holds() const { return !held_.empty(); }
    size_t block() const { return block_; }

  private:
    Output& out_;
    size_t block_;
    std::string held_;
};

// The size of libc's buffer for this descriptor; 0 for a terminal, where libc writes each line.
size_t stdio_block(int descriptor);

}  // namespace nlsh
