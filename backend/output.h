// A command's output. A Sink, which leaves the line, also reports its room and failed writes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nlsh {

// Takes bytes. Implementations: a string (held output, a pipeline's stage), a descriptor.
class Output {
  public:
    virtual ~Output() = default;
    // false: the reader is gone (EPIPE); a writer may stop early. Never throws, never raises
    // SIGPIPE.
    virtual bool write(std::string_view bytes) = 0;
    // errno of the first failed write, or 0. A closed reader is no failure.
    virtual int error() const { return 0; }
    // Whether a program that writes here would have a terminal; nullopt: unknown.
    virtual std::optional<bool> is_terminal() const { return false; }
};

// Whether a write will be complete. unsure: it may block, or fail half-way; none: it fails.
enum class Room : uint8_t { sure, unsure, none };

struct WriteFailure {
    int error = 0;        // errno; 0: no write failed
    bool killed = false;  // a SIGPIPE would have ended the writer
    explicit operator bool() const { return error != 0; }
};

// A stream that leaves the line.
class Sink : public Output {
  public:
    virtual Room room(size_t bytes) = 0;
    // The first failure since the last call. So each command gets its own failures.
    virtual WriteFailure take_failure() = 0;
    // Nothing has reached the caller yet: the line may still fall back.
    virtual bool untouched() const = 0;
};

// A text in memory, of any length: it can't fail, and nobody has seen it yet.
class StringOutput final : public Sink {
  public:
    bool write(std::string_view bytes) override {
        text.append(bytes);
        return true;
    }
    Room room(size_t) override { return Room::sure; }
    WriteFailure take_failure() override { return {}; }
    bool untouched() const override { return true; }

    std::string text;
};

}  // namespace nlsh
