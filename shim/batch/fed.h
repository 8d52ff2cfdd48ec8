// A line that is one batch of ip or bridge, with its input: `ip -batch FILE`, or `ip -batch -` with
// a pipe, a redirection, a here-document or a here-string.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nlsh {

struct FedBatch {
    enum class Feed : uint8_t { own, text, file, program };
    Feed feed = Feed::own;           // own: the command's own words say what it reads
    std::string shell = {};          // of `bash -c '…'` around it; empty: none
    std::vector<std::string> words;  // the tool and its arguments, as the shell leaves them
    // The text, the file's path, or a shell's program that ends in `|cat`, whose output it is.
    std::string from = {};
};

// Nothing: the line is something else, or the shell would do more than is known here. Whether the
// tool and a program can be imitated is for the caller to find out.
std::optional<FedBatch> fed_batch(std::string_view line);

}  // namespace nlsh
