// The output of a command that a process has done instead of becoming it (NLSH_EXEC): held until
// its end. A vfork's child has a parent that sleeps until it ends: nothing may wait for what that
// one would read.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backend/descriptor.h"
#include "backend/output.h"
#include "backend/shell/late_output.h"
#include "shim/peer/connection.h"
#include "shim/server/reply_streams.h"

namespace nlsh {

class HeldStreams {
  public:
    explicit HeldStreams(Connection& connection, bool terminal = false)
        : connection_(connection), terminal_(terminal) {}

    // Before the line runs: how much it may print before it changes something. Nothing: it mustn't
    // run, for its process would have to wait for a reader.
    std::optional<size_t> expect(const LateOutput& late);

    Sink& output() { return output_; }
    Sink& error() { return error_; }

    // All of it, when it is one stream's and fits a reply.
    struct Text {
        std::string_view bytes;
        bool error = false;
    };
    std::optional<Text> text() const;
    // For the caller's stdout and stderr. False: it is gone.
    bool ask();
    // Whether these take all of it without waiting.
    bool fit() const;
    // In its order. What a stream refuses is lost, as it is to ip.
    void write() const;

  private:
    class Stream final : public Sink {
      public:
        Stream(HeldStreams& owner, bool error) : owner_(owner), error_(error) {}
        bool write(std::string_view bytes) override {
            owner_.hold(error_, bytes);
            return true;
        }
        std::optional<bool> is_terminal() const override {
            if (error_) return {};
            return owner_.terminal_;
        }
        // The process has looked whether its streams take something.
        Room room(size_t) override { return Room::sure; }
        WriteFailure take_failure() override { return {}; }
        bool untouched() const override { return true; }

      private:
        HeldStreams& owner_;
        bool error_;
    };
    struct Piece {
        bool error = false;
        std::string bytes;
    };
    void hold(bool error, std::string_view bytes);
    size_t size(bool error) const;

    Connection& connection_;
    bool terminal_;  // what the process's stdout is
    std::optional<GivenStreams> given_;
    Stream output_{*this, false};
    Stream error_{*this, true};
    std::vector<Piece> pieces_;
};

}  // namespace nlsh
