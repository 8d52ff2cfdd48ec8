// The verbs of ip and bridge: how a change treats entries, and the properties that a verb gives to
// its commands.
#pragma once

#include <cstdint>

namespace nlsh {

// How a change treats an entry that exists already, or doesn't exist.
enum class ChangeVerb : uint8_t { add, change, replace, prepend, append, test, remove };

// What iproute2 remembers from line to line of `ip -batch` (names of links, and whether links or
// addresses are shown), and how a line changes that or depends on it.
struct BatchMemory {
    bool shows_links = false;      // address lines after it show links only
    bool shows_addresses = false;  // prints less after a line that shows links
    bool names_link = false;       // gives a link a name
    bool renames_link = false;    // the same with the word `name`. The old name becomes free, as it
                                  // does when the link moves to another namespace (`netns`)
    bool deletes_link = false;    // deletes the named link, and caches no name
    bool deletes_others = false;  // may delete links or names that the line doesn't mention
    bool operator==(const BatchMemory&) const = default;
};

// Properties that a verb's row gives to all its commands (parser/ip/command.h).
struct VerbProperties {
    // When such a line ends its batch, with the line's status and without "Command failed".
    enum class Ends : uint8_t { never, if_it_fails, always };

    bool read_only = false;
    bool colored = false;      // a show whose colours are known
    bool flushes = false;      // works in rounds, which -loops limits; may fail after some
    bool echoes_link = false;  // -echo shows the changed link
    bool in_process = false;   // must run in the caller's own process: ends with its reader only,
                               // makes mounts, or looks at processes
    bool endless = false;
    bool opens_netns = false;  // passes a file of a network namespace to the kernel
    // The last step is one request over the tool's common socket, and a refusal doesn't end a
    // batch: with -force, nlsh reads later lines before the answer arrives.
    bool queued = false;
    Ends ends_batch = Ends::never;
    const char* not_in_batch = nullptr;  // why a line of a batch falls back
    BatchMemory memory = {};
};

}  // namespace nlsh
