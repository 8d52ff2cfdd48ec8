// Where a command's bytes go.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace nlsh {

// A sink of bytes. Implementations: a string (held output, a pipeline's stage), a descriptor.
class Output {
  public:
    virtual ~Output() = default;
    // false: the reader is gone (EPIPE); a writer may stop early. Never throws, never raises
    // SIGPIPE.
    virtual bool write(std::string_view bytes) = 0;
    // errno of the first write that failed for another reason than a reader that is gone; 0 when
    // none did.
    virtual int error() const { return 0; }
    // Whether a program that writes here would have a terminal; nothing: it can't be told.
    virtual std::optional<bool> is_terminal() const { return false; }
};

class StringOutput final : public Output {
  public:
    bool write(std::string_view bytes) override {
        text.append(bytes);
        return true;
    }
    std::string text;
};

}  // namespace nlsh
