// A stream that leaves the line: what is known of it before it is written to, and how that failed.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backend/output.h"

namespace nlsh {

// Whether so much more can be written. unsure: it may block, or fail in the midst; none: it fails.
enum class Room : uint8_t { sure, unsure, none };

struct WriteFailure {
    int error = 0;        // errno; 0: no write failed
    bool killed = false;  // a SIGPIPE would have ended the writer
    explicit operator bool() const { return error != 0; }
};

class Sink : public Output {
  public:
    virtual Room room(size_t bytes) = 0;
    // The first failure since this was last asked: each command fails, or not, by itself.
    virtual WriteFailure take_failure() = 0;
    // Nothing has reached the caller yet: the line may still be handed over.
    virtual bool untouched() const = 0;
};

}  // namespace nlsh
