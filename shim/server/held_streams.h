// Holds the output of a command that runs in place of an exec (NLSH_EXEC) until its end. The parent
// of a vfork's child sleeps until the child ends, and may be the reader: so no write may wait.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backend/output.h"
#include "backend/shell/late_output.h"
#include "shim/peer/connection.h"
#include "shim/server/reply_streams.h"

namespace nlsh {

class HeldStreams {
  public:
    explicit HeldStreams(Connection& connection, bool terminal = false)
        : connection_(connection), terminal_(terminal) {}

    // Call it before the line runs: how much the line may print after a change. nullopt: don't run
    // it, because the process might have to wait for a reader.
    std::optional<size_t> expect(const LateOutput& late);

    Sink& output() { return output_; }
    Sink& error() { return error_; }

    // All output, if one stream has all of it and it fits a reply.
    struct Text {
        std::string_view bytes;
        bool error = false;
    };
    std::optional<Text> text() const;
    // Asks for the caller's stdout and stderr. False: the caller has gone.
    bool ask();
    // Whether the descriptors take everything without waiting.
    bool fit() const;
    // Writes everything in order. Bytes that a stream refuses are lost, as for ip.
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
        // The caller has checked its streams.
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
    bool terminal_;  // whether the process's stdout is a terminal
    std::optional<GivenStreams> given_;
    Stream output_{*this, false};
    Stream error_{*this, true};
    std::vector<Piece> pieces_;
};

}  // namespace nlsh
