// Parses any words as an ip or bridge command, into a request or a decline. The first byte
// chooses the tool, and whether the words are a line of a batch.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "backend/objects/link/kinds/kinds.h"
#include "parser/ip/command.h"

namespace nlsh {
namespace {

std::vector<std::string> split(std::string_view text) {
    std::vector<std::string> words(1);
    for (const char byte : text) {
        if (byte == ' ') {
            words.emplace_back();
        } else {
            words.back() += byte;
        }
    }
    return words;
}

}  // namespace
}  // namespace nlsh

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace nlsh;
    static const NameTables names = NameTables::built_in();
    if (size == 0) return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    const std::vector<std::string> words = split(text);
    const Tool tool = (data[0] & 1) != 0 ? Tool::bridge : Tool::ip;
    if ((data[0] & 2) != 0) {
        (void)parse_batch_line({.tool = tool}, words, names, link_kinds());
    } else {
        (void)parse_command(tool, words, names, link_kinds());
    }
    return 0;
}
