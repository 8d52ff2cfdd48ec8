// The text of a batch: a file that is there as a whole, or standard input as it comes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "parser/ip/batch.h"

namespace nlsh {

class BatchSource {
  public:
    // Nothing: one that can't be read or isn't a plain file; it has not been touched.
    static std::optional<BatchSource> open(const std::string& name);

    // False while standard input may bring more.
    bool whole() const { return whole_; }
    // What hasn't been consumed of what is known.
    std::string_view rest() const { return std::string_view(text_).substr(consumed_); }
    // Waits for more of standard input; at its end it is whole.
    void read_more();
    void consume(const BatchLine& line);
    size_t consumed() const { return consumed_; }
    // The number of the last line that was consumed.
    size_t line() const { return line_; }
    // Leaves a plain file that is standard input where the real one would: `further` bytes behind
    // what was consumed.
    void leave(size_t further = 0) const;

  private:
    std::string text_;
    size_t consumed_ = 0;
    size_t line_ = 0;
    bool whole_ = true;
    std::optional<off_t> start_;  // standard input, a plain file, began here
};

}  // namespace nlsh
