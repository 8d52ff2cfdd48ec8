// Where a request's output goes: into the reply while it is little, else to descriptors that the
// client hands over when asked.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "backend/descriptor.h"
#include "backend/output.h"
#include "shim/wire/wire.h"

namespace nlsh {

class ReplyStreams {
  public:
    // connection: the accepted socket. A popen's output may wait for the reply; all else is written
    // as it comes, by the server, to the caller's own descriptors.
    ReplyStreams(int connection, nlsh_kind kind) : connection_(connection), kind_(kind) {}
    ~ReplyStreams() { close(); }
    ReplyStreams(const ReplyStreams&) = delete;
    ReplyStreams& operator=(const ReplyStreams&) = delete;

    // The client's descriptors, when they came with its request: it needn't be asked for them.
    void give(std::array<Descriptor, 2> descriptors, bool sigpipe_ignored);

    Output& output() { return output_; }
    Output& error() { return error_; }
    // What goes into the reply.
    std::string_view held() const { return held_; }
    // The client was asked for its descriptors.
    bool asked() const { return asked_; }
    // Closes the pipe, so that the reader sees its end before the status comes.
    void close();
    // A writer met a pipe without reader, and a child would have been killed by that.
    bool broken_pipe() const { return broken_ && !sigpipe_ignored_; }

  private:
    class Stream final : public Output {
      public:
        Stream(ReplyStreams& owner, bool error) : owner_(owner), error_(error) {}
        bool write(std::string_view bytes) override { return owner_.write(error_, bytes); }
        // A popen reads a pipe; a system's stdout isn't here before the line has run.
        std::optional<bool> is_terminal() const override {
            if (owner_.kind_ == NLSH_POPEN && !error_) return false;
            return {};
        }

      private:
        ReplyStreams& owner_;
        bool error_;
    };
    bool write(bool error, std::string_view bytes);
    bool write_to(const Descriptor& target, std::string_view bytes);
    void spread_out(size_t more);
    bool ask_for_descriptors();  // once; false: the client is gone
    bool receive_descriptors();

    const int connection_;
    const nlsh_kind kind_;
    Stream output_{*this, false};
    Stream error_{*this, true};
    std::string held_;
    size_t streamed_ = 0;
    int processor_ = -1;  // this thread's, while it may use all
    bool asked_ = false;
    bool broken_ = false;
    bool sigpipe_ignored_ = false;
    Descriptor out_;
    Descriptor err_;
};

}  // namespace nlsh
