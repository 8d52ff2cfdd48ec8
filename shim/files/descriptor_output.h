// Output to a file descriptor.
#pragma once

#include <utility>

#include "backend/descriptor.h"
#include "backend/output.h"

namespace nlsh {

// Whether a descriptor takes so many bytes. `sure` is rare, because a pipe's reader may make the
// writer wait, and then go.
Room room_of(int descriptor, size_t bytes);

// Doesn't own the descriptor. Writes everything, retrying on EINTR; the caller handles SIGPIPE.
class DescriptorOutput : public Sink {
  public:
    // killable: SIGPIPE would kill a program that writes here.
    explicit DescriptorOutput(int descriptor, bool killable = true)
        : descriptor_(descriptor), killable_(killable) {}
    bool write(std::string_view bytes) override;
    int error() const override { return error_; }
    std::optional<bool> is_terminal() const override;
    Room room(size_t bytes) override { return room_of(descriptor_, bytes); }
    WriteFailure take_failure() override;
    bool untouched() const override { return !reached_; }
    bool used() const { return used_; }

  private:
    int descriptor_;
    bool killable_;
    bool used_ = false;
    bool reached_ = false;
    bool refused_ = false;
    int error_ = 0;
};

// Output to a file, which the object owns and closes.
class FileOutput final : public Output {
  public:
    explicit FileOutput(Descriptor file) : file_(std::move(file)), output_(file_.get()) {}
    bool write(std::string_view bytes) override { return output_.write(bytes); }
    int error() const override { return output_.error(); }

  private:
    Descriptor file_;
    DescriptorOutput output_;
};

}  // namespace nlsh
