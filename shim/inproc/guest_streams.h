// Where a line's output goes when it runs inside somebody else's process.
#pragma once

#include <csignal>
#include <string>
#include <string_view>

#include "backend/output.h"
#include "shim/files/descriptor_output.h"

namespace nlsh {

// To a descriptor of the program: the write may block, so the thread's signals are let in, all but
// the SIGPIPE that it may cause (a child would get that one, not the program).
class GuestOutput final : public Sink {
  public:
    // callers: the signals that the thread blocks outside.
    GuestOutput(int descriptor, const sigset_t& callers) : output_(descriptor), callers_(callers) {}
    bool write(std::string_view bytes) override;
    std::optional<bool> is_terminal() const override { return output_.is_terminal(); }
    Room room(size_t bytes) override { return output_.room(bytes); }
    // A child that met a pipe without reader would have been killed by that, or not.
    WriteFailure take_failure() override;
    bool untouched() const override { return output_.untouched(); }

  private:
    DescriptorOutput output_;
    const sigset_t& callers_;
};

// To a pipe that nobody reads yet: never blocks.
class PipeOutput final : public Sink {
  public:
    explicit PipeOutput(int pipe) : pipe_(pipe) {}
    bool write(std::string_view bytes) override;
    // A child that writes more may meet a reader who has gone after the first part.
    Room room(size_t bytes) override {
        return written_ + bytes <= least_capacity ? Room::sure : Room::unsure;
    }
    WriteFailure take_failure() override { return {}; }
    bool untouched() const override { return written_ == 0; }
    // What the pipe doesn't hold, even enlarged, goes on in a thread. False: there is none to be
    // had.
    bool finish();

  private:
    static constexpr size_t least_capacity = 4096;  // of any pipe

    void write_now(std::string_view bytes);

    int pipe_;
    size_t written_ = 0;
    bool blocking_ = true;
    std::string rest_;
};

}  // namespace nlsh
