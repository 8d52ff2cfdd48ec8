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

namespace nlsh {

class HeldStreams {
  public:
    explicit HeldStreams(bool terminal = false) : terminal_(terminal) {}

    Sink& output() { return output_; }
    Sink& error() { return error_; }

    // All of it, when it is one stream's and fits a reply.
    struct Text {
        std::string_view bytes;
        bool error = false;
    };
    std::optional<Text> text() const;
    // Whether these, stdout and stderr, take all of it without waiting.
    bool fits(const std::array<Descriptor, 2>& descriptors) const;
    // In its order. What a stream refuses is lost, as it is to ip.
    void write(const std::array<Descriptor, 2>& descriptors) const;

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

    bool terminal_;  // what the process's stdout is
    Stream output_{*this, false};
    Stream error_{*this, true};
    std::vector<Piece> pieces_;
};

}  // namespace nlsh
