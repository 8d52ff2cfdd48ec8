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
    Feed feed = Feed::own;           // own: the command's words name the input
    std::string shell = {};          // the one of `bash -c '…'` around the batch; empty: none
    std::vector<std::string> words;  // the tool and its arguments, after expansion
    // The text, the file's path, or a shell program that ends in `|cat` and prints the input.
    std::string from = {};
};

// nullopt: another line, or the shell would do more than this code knows. The caller checks whether
// the tool and the program are native.
std::optional<FedBatch> fed_batch(std::string_view line);

}  // namespace nlsh
