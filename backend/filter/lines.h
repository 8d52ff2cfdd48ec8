// Cuts text into lines.
#pragma once

#include <optional>
#include <string_view>

namespace nlsh {

class Lines {
  public:
    explicit Lines(std::string_view text) : rest_(text) {}

    // The next line without its newline.
    std::optional<std::string_view> next() {
        if (rest_.empty()) return std::nullopt;
        size_t end = rest_.find('\n');
        std::string_view line = rest_.substr(0, end);
        complete_ = end != std::string_view::npos;
        rest_.remove_prefix(complete_ ? end + 1 : rest_.size());
        return line;
    }
    // Whether a newline ended the last line; more lines follow.
    bool complete() const { return complete_; }
    bool more() const { return !rest_.empty(); }

  private:
    std::string_view rest_;
    bool complete_ = true;
};

}  // namespace nlsh
