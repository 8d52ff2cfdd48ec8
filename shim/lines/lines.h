// Files of command lines, one a line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "shim/lines/line_reader.h"

namespace nlsh {

struct NumberedLine {
    size_t number;  // in the file
    std::string text;
};

// Skips blank lines and comments (#). A command of several lines is a comment with a JSON string:
// `#: "ip link\nip addr"`. In a
// file that NLSH_TRACE wrote, reads the field of the command.
std::vector<NumberedLine> read_lines(LineReader& file);

// The command as a line of such a file, with its newline.
std::string as_line(std::string_view command);

}  // namespace nlsh
