// Where a line's output goes when it runs inside somebody else's process.
#pragma once

#include <csignal>
#include <string>
#include <string_view>

#include "backend/output.h"
#include "shim/engine/descriptor_output.h"

namespace nlsh {

// To a descriptor of the program: the write may block, so the thread's signals are let in, all but
// the SIGPIPE that it may cause (a child would get that one, not the program).
class GuestOutput final : public Output {
  public:
    // callers: the signals that the thread blocks outside.
    GuestOutput(int descriptor, const sigset_t& callers) : output_(descriptor), callers_(callers) {}
    bool write(std::string_view bytes) override;
    int error() const override { return output_.error(); }
    // Met a pipe without reader, and a child would have been killed by that.
    bool killed() const;

  private:
    DescriptorOutput output_;
    const sigset_t& callers_;
    bool broken_ = false;
};

// To a pipe that nobody reads yet: never blocks.
class PipeOutput final : public Output {
  public:
    explicit PipeOutput(int pipe) : pipe_(pipe) {}
    bool write(std::string_view bytes) override;
    // What the pipe doesn't hold, even enlarged, goes on in a thread. False: there is none to be
    // had.
    bool finish();

  private:
    void write_now(std::string_view bytes);

    int pipe_;
    size_t written_ = 0;
    bool blocking_ = true;
    std::string rest_;
};

}  // namespace nlsh
