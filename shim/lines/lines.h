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

// A blank line or a comment (#) is none. A command of several lines stands as a comment with a JSON
// string: `#: "ip link\nip addr"`. In a file that NLSH_TRACE wrote it is the command's field.
std::vector<NumberedLine> read_lines(LineReader& file);

// The command as a line of such a file, with its newline.
std::string as_line(std::string_view command);

}  // namespace nlsh
