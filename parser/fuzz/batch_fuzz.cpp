// Reads any bytes as a batch file: each line must become a typed request or a decline. The first
// byte chooses the tool, and whether the text is complete.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "parser/fuzz/require.h"
#include "parser/ip/batch.h"
#include "parser/ip/command.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace nlsh;
    static const NameTables names = NameTables::built_in();
    if (size == 0) return 0;
    std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    const Tool tool = (data[0] & 1) != 0 ? Tool::bridge : Tool::ip;
    const bool whole = (data[0] & 2) == 0;
    require(independent_part(text, iproute2_6_1()) <= text.size());
    while (!text.empty()) {
        const auto line = read_batch_line(text, whole);
        if (!line || !*line) break;
        require((*line)->size > 0 && (*line)->size <= text.size());
        require((*line)->lines > 0);
        if (!(*line)->words.empty()) (void)parse_batch_line({.tool = tool}, (*line)->words, names);
        text.remove_prefix((*line)->size);
    }
    return 0;
}
