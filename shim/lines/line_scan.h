// Scans a shell command line for what its shell would leave behind for the next line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nlsh {

struct ScannedLine {
    // In the order in which they stand.
    struct Event {
        enum class Kind {
            command,     // a simple command's name, of the line's own shell
            argument,    // a word of such a command
            assignment,  // of a variable that the shell keeps; text: its name
            reference,   // to a variable, anywhere
            function,    // a definition
            background,  // &
        };
        Kind kind;
        std::string text;
        bool always;  // the line's shell always reaches this place
    };
    std::vector<Event> events;
    std::string unfinished;  // what the line lacks at its end or beginning; empty: complete
};

// Lexical: words, quotes, expansions, nesting. A shell may still refuse the line.
ScannedLine scan_line(std::string_view line);

}  // namespace nlsh
