// The text of a batch: a whole file, or standard input as it arrives.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "parser/ip/batch.h"

namespace nlsh {

class BatchSource {
  public:
    // nullopt: the file can't be read, or isn't a plain file; nothing has been read.
    static std::optional<BatchSource> open(const std::string& name);

    // The text of a shell's pipe or here-document.
    static BatchSource of_text(std::string text);

    // False while standard input may bring more.
    bool whole() const { return whole_; }
    // Known text that hasn't been consumed.
    std::string_view rest() const { return std::string_view(text_).substr(consumed_); }
    // Waits for more of standard input. At its end the source is whole.
    void read_more();
    void consume(const BatchLine& line);
    // Starts over. Only for a source that was whole from the beginning.
    void rewind() { consumed_ = line_ = 0; }
    size_t consumed() const { return consumed_; }
    // The number of the last consumed line.
    size_t line() const { return line_; }
    // If standard input is a plain file, sets its offset as iproute2 would leave it: `further`
    // bytes behind the consumed text.
    void leave(size_t further = 0) const;

  private:
    std::string text_;
    size_t consumed_ = 0;
    size_t line_ = 0;
    bool whole_ = true;
    std::optional<off_t> start_;  // the first offset, if standard input is a plain file
};

}  // namespace nlsh
