// The output of a line that runs inside another program.
#pragma once

#include <csignal>
#include <string>
#include <string_view>

#include "backend/output.h"
#include "shim/files/descriptor_output.h"

namespace nlsh {

// To a descriptor of the program. The write may block, so the thread lets signals in, except the
// SIGPIPE that it may cause (a child would get that signal, not the program).
class GuestOutput final : public DescriptorOutput {
  public:
    // callers: the signals that the thread blocks outside.
    GuestOutput(int descriptor, const sigset_t& callers)
        : DescriptorOutput(descriptor), callers_(callers) {}
    bool write(std::string_view bytes) override;
    // Whether a pipe without reader would have killed a child.
    WriteFailure take_failure() override;

  private:
    const sigset_t& callers_;
};

// To a pipe that nobody reads yet: never blocks.
class PipeOutput final : public Sink {
  public:
    explicit PipeOutput(int pipe) : pipe_(pipe) {}
    bool write(std::string_view bytes) override;
    // A child's reader might leave after the first part.
    Room room(size_t bytes) override {
        return written_ + bytes <= least_capacity ? Room::sure : Room::unsure;
    }
    WriteFailure take_failure() override { return {}; }
    bool untouched() const override { return written_ == 0; }
    // If even the enlarged pipe is full, a thread writes the rest. False: no thread could be
    // started.
    bool finish();

  private:
    static constexpr size_t least_capacity = 4096;  // of every pipe

    void write_now(std::string_view bytes);

    int pipe_;
    size_t written_ = 0;
    bool blocking_ = true;
    std::string rest_;
};

}  // namespace nlsh
