// Commands that iproute2 refuses with one line before it has done anything: that line is ours to
// print, too.
//
// Use only if the words before the bad one need no look-up: iproute2 reads from left to right, and
// reports a missing name at once. The real binary prints usage texts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parser/ip/arguments.h"

namespace nlsh {

// A request: nothing but an error. Pure data.
struct RefusedCommand {
    // A device that is looked up before: when there is none, that is the error.
    struct Lookup {
        std::string device;
        std::string missing = {};  // the text for it; empty: the usual one
        bool operator==(const Lookup&) const = default;
    };
    std::string message;  // with its newlines
    int status = 255;
    std::vector<Lookup> lookups = {};
};

// Declined, and iproute2 would say this.
std::unexpected<Decline> refused(std::string message, int status = 255);
// Declined: a value of a keyword that iproute2 can't read either.
std::unexpected<Decline> bad_value(std::string reason);
// `Error: argument "WORD" is wrong: TEXT`, for a decline of a bad value that has no message yet; a
// null text leaves it as it is.
Decline with_complaint(Decline decline, std::string_view word, const char* text);
// The decline of a bad value with `Error: FAMILY WHAT is expected rather than "WORD".`; `what` is
// "address" or "prefix", `family` the requested one (AF_UNSPEC: any). Other declines stay
// unchanged.
Decline with_expectation(Decline decline, std::string_view what, std::string_view word,
                         uint8_t family);
// A declined number of at most 32 bits. A negative one is a bad value if iproute2 reads an unsigned
// long, but not if it reads an int.
Decline without_sign(Decline decline, std::string_view word);
// The same decline without its message, because iproute2 prints another one.
Decline unexplained(Decline decline);
// Refused with this message if the build lacks `newer`; otherwise declined.
std::unexpected<Decline> refused_before(Trait newer, Traits traits, std::string message,
                                        int status = 255);
// `Error: either "KEYWORD" is duplicate, or "WORD" is a garbage.`
std::unexpected<Decline> garbage(Traits traits, std::string_view keyword, std::string_view word);
// `Error: duplicate "KEYWORD": "WORD" is the second value.`
std::unexpected<Decline> duplicate(std::string_view keyword, std::string_view word);
// Whether a word has none of the characters that strtoul skips or takes beside digits. If it isn't
// a number for nlsh, it isn't one for iproute2.
bool is_plain_value(std::string_view word);
// A bad value, if it is plain; else it is only declined.
std::unexpected<Decline> unreadable(std::string_view word, std::string reason);
// Whether iproute2 might look something up while it reads the words. If so, that look-up may fail
// before an error in a later word.
bool may_look_up(Words words);

}  // namespace nlsh
