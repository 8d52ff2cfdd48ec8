// Sends a request's output: in the reply if it is small, otherwise to descriptors that the server
// asks the client for.
#pragma once

#include <unistd.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "backend/descriptor.h"
#include "backend/output.h"
#include "shim/journal/journal.h"
#include "shim/wire/wire.h"

namespace nlsh {

// A caller's stdout and stderr.
struct GivenStreams {
    std::array<Descriptor, 2> descriptors;
    bool sigpipe_ignored = false;
};
// Asks for them (NLSH_STREAM). by_socket: NLSH_BY_SOCKET. nullopt: the caller is gone.
std::optional<GivenStreams> ask_for_streams(int connection, bool by_socket = false);

class ReplyStreams {
  public:
    // connection: the accepted socket. A popen's output may wait for the reply. The server writes
    // all other output at once, to the caller's own descriptors.
    struct Options {
        Journal* journal = nullptr;  // the writer's; null: none
        bool anonymous = false;      // only an anonymous sink (socket_check.h) gets anything
        bool by_socket = false;      // NLSH_BY_SOCKET
    };
    ReplyStreams(int connection, nlsh_kind kind) : ReplyStreams(connection, kind, Options{}) {}
    ReplyStreams(int connection, nlsh_kind kind, const Options& options)
        : connection_(connection),
          kind_(kind),
          journal_(options.journal),
          anonymous_(options.anonymous),
          by_socket_(options.by_socket) {}
    ~ReplyStreams() { close(); }
    ReplyStreams(const ReplyStreams&) = delete;
    ReplyStreams& operator=(const ReplyStreams&) = delete;

    // The client's descriptors, if they came with its request.
    void give(std::array<Descriptor, 2> descriptors, bool sigpipe_ignored);
    // A popen's stderr. If it might not take an output at once, the server asks the client for its
    // descriptors, so that the client begins to read.
    void show_error(std::array<Descriptor, 2> both) { shown_error_ = std::move(both); }

    Sink& output() { return output_; }
    Sink& error() { return error_; }
    // The output for the reply.
    std::string_view held() const { return held_; }
    // Whether the line would have been served if the descriptors had come with the request.
    bool missed() const { return missed_; }
    // Whether the client was asked for its descriptors.
    bool asked() const { return asked_; }
    // Closes the pipe, so that the reader sees its end before the status.
    void close();

  private:
    class Stream final : public Sink {
      public:
        Stream(ReplyStreams& owner, bool error) : owner_(owner), error_(error) {}
        bool write(std::string_view bytes) override { return owner_.write(error_, bytes); }
        // popen's stdout is a pipe; other streams may come with the request.
        std::optional<bool> is_terminal() const override {
            if (owner_.kind_ == NLSH_POPEN && !error_) return false;
            const Descriptor& own = error_ ? owner_.err_ : owner_.out_;
            const Descriptor& known = error_ && !own ? owner_.shown_error_[0] : own;
            if (known) return isatty(known.get()) == 1;
            owner_.miss(error_);
            return {};
        }
        Room room(size_t bytes) override { return owner_.room(error_, bytes); }
        WriteFailure take_failure() override;
        // A caller that was asked for its descriptors no longer falls back.
        bool untouched() const override { return !owner_.asked_ && !reached_; }

      private:
        friend class ReplyStreams;
        ReplyStreams& owner_;
        bool error_;
        bool reached_ = false;
        int failure_ = 0;
    };
    bool write(bool error, std::string_view bytes);
    bool write_to(Stream& stream, std::string_view bytes);
    Room room(bool error, size_t bytes);
    Room room_at(const Descriptor& target, size_t bytes) const;
    // Notes that the line needs a descriptor that the request could have brought (not popen's
    // stdout).
    void miss(bool error) { missed_ = missed_ || error || kind_ == NLSH_SYSTEM; }
    bool fits_reply(size_t bytes) const;
    bool error_fits(size_t bytes) const;
    void spread_out(size_t more);
    bool ask_for_descriptors();  // once; false: the client has gone

    const int connection_;
    const nlsh_kind kind_;
    Journal* const journal_;
    const bool anonymous_;
    const bool by_socket_;
    Stream output_{*this, false};
    Stream error_{*this, true};
    std::string held_;
    size_t streamed_ = 0;
    int processor_ = -1;  // where this thread was pinned, while it may use all processors
    bool asked_ = false;
    bool missed_ = false;
    bool sigpipe_ignored_ = false;
    Descriptor out_;
    Descriptor err_;
    std::array<Descriptor, 2> shown_error_;  // the same twice
};

}  // namespace nlsh
