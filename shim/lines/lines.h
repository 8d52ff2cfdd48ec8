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

// Skips blank lines and comments (#). A comment with a JSON string is a command of several lines:
// `#: "ip link
// ip addr"`. In a file that NLSH_TRACE wrote, reads the field of the command.
std::vector<NumberedLine> read_lines(LineReader& file);

// The command as a line of such a file, with its newline.
std::string as_line(std::string_view command);

}  // namespace nlsh
