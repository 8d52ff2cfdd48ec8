// Commands that iproute2 refuses with one line before it does anything: nlsh prints the same line.
//
// Use only if the words before the bad one need no look-up: iproute2 reads from left to right, and
// reports a missing name at once. Only the real binary prints usage texts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parser/ip/arguments.h"

namespace nlsh {

// A request that only prints an error. Pure data.
struct RefusedCommand {
    // A device that iproute2 looks up first. If it is missing, that is the error.
    struct Lookup {
        std::string device;
        std::string missing = {};  // the error's text; empty: the usual one
        bool operator==(const Lookup&) const = default;
    };
    std::string message;  // with its newlines
    int status = 255;
    std::vector<Lookup> lookups = {};
};

// A decline with the message that iproute2 would print.
std::unexpected<Decline> refused(std::string message, int status = 255);
// Declined: a value of a keyword that iproute2 can't read either.
std::unexpected<Decline> bad_value(std::string reason);
// Adds `Error: argument "WORD" is wrong: TEXT` to the decline of a bad value without a message. A
// null text changes nothing.
Decline with_complaint(Decline decline, std::string_view word, const char* text);
// Adds `Error: FAMILY WHAT is expected rather than "WORD".` to the decline of a bad value; `what`
// is "address" or "prefix", `family` the requested one (AF_UNSPEC: any). Changes no other decline.
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
// Whether a word has none of the characters that strtoul skips or takes beside digits. If nlsh
// can't read such a word as a number, iproute2 can't either.
bool is_plain_value(std::string_view word);
// Declines the value: a plain one as bad_value(), any other without a message.
std::unexpected<Decline> unreadable(std::string_view word, std::string reason);
// Whether iproute2 might look something up while it reads the words. If so, that look-up may fail
// before an error in a later word.
bool may_look_up(Words words);

}  // namespace nlsh
