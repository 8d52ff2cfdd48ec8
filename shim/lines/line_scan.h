// A shell command line, as far as one must know it to tell what it leaves behind.
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
        bool always;  // the line's shell comes here in any case
    };
    std::vector<Event> events;
    std::string unfinished;  // what is missing at its end, or was to come before; empty: whole
};

// Lexical: words, quotes, expansions, nesting. A shell may still refuse the line.
ScannedLine scan_line(std::string_view line);

}  // namespace nlsh
