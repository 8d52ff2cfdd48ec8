// The verbs of ip and bridge: which change a change is, and the properties of a command by
// its verb alone.
#pragma once

#include <cstdint>

namespace nlsh {

// How a change treats an entry that exists already, or doesn't exist.
enum class ChangeVerb : uint8_t { add, change, replace, prepend, append, test, remove };

// How a line of `ip -batch` changes, or depends on, what iproute2 remembers from line to line:
// names of links, and whether links or addresses are shown.
struct BatchMemory {
    bool shows_links = false;      // address lines after it show links only
    bool shows_addresses = false;  // such an address line
    bool names_link = false;       // a link gets a name
    bool renames_link = false;  // the same with the word `name`; the link's old name is free then,
                                // as it is when the link goes to another namespace (`netns`)
    bool deletes_link = false;  // the link that it names, and no name is learnt
    bool deletes_others = false;  // links or names that it doesn't say may go as well
    bool operator==(const BatchMemory&) const = default;
};

// Properties that a verb's row gives to all its commands (parser/ip/command.h).
struct VerbProperties {
    // When such a line ends its batch, with the line's status and without "Command failed".
    enum class Ends : uint8_t { never, if_it_fails, always };

    bool read_only = false;
    bool colored = false;      // a show whose colours are known
    bool flushes = false;      // in rounds, which -loops limits; may fail after some
    bool echoes_link = false;  // with -echo the link is shown, as it is after the change
    bool in_process = false;   // ends with its reader only, makes mounts, or looks at processes:
                               // what runs it must be the caller's own process
    bool endless = false;
    bool opens_netns = false;  // a file of a network namespace, for the kernel to look at
    // Its last step is one request over the tool's common socket, whose verdict doesn't end a
    // batch: with -force, nlsh reads later lines before the verdict arrives.
    bool queued = false;
    Ends ends_batch = Ends::never;
    const char* not_in_batch = nullptr;  // why a batch's line falls back
    BatchMemory memory = {};
};

}  // namespace nlsh
