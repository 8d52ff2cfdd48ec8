// `ip address`: requests.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "backend/objects/link/words/show.h"
#include "parser/ip/arguments.h"
#include "parser/ip/verb.h"

namespace nlsh {

struct AddressLifetimes {
    uint32_t valid = UINT32_MAX;  // seconds; UINT32_MAX: forever
    uint32_t preferred = UINT32_MAX;
};

// Complete: scope, peer and broadcast ("+", "-") have their final values.
struct AddressChange {
    ChangeVerb verb = ChangeVerb::add;
    std::string device;
    uint8_t family = 0;
    uint8_t bits = 0;
    uint8_t scope = 0;
    uint32_t flags = 0;     // IFA_F_*
    bool wildcard = false;  // deletes the address with any prefix length, after a warning
    InetPrefix local;
    InetPrefix address;  // the peer's address, or the local one again
    std::optional<InetPrefix> broadcast;
    std::optional<InetPrefix> anycast;
    std::optional<std::string> label;
    std::optional<uint32_t> metric;
    std::optional<uint8_t> protocol;
    std::optional<AddressLifetimes> lifetimes;
};

// IFAPROT_*: these names are compiled into iproute2.
inline constexpr std::string_view address_protocols[] = {"unspec", "kernel_lo", "kernel_ra",
                                                         "kernel_ll"};

// Which addresses and links a show lists, or which addresses a flush deletes.
struct AddressFilter {
    LinkSelection links;
    uint8_t family = 0;
    std::optional<InetPrefix> to;
    std::optional<uint8_t> scope;
    std::optional<std::string> label;  // a glob
    std::optional<uint8_t> protocol;   // addresses without a protocol pass, too
    uint32_t flags = 0;                // the wanted values …
    uint32_t flag_mask = 0;            // … of these IFA_F_*
};

struct AddressShow {
    AddressFilter filter;
};
struct AddressFlush {
    AddressFilter filter;
    bool one_round = false;
};

class Request;
struct ParseContext;

// The words after the verb.
Parsed<Request> parse_address_show(ParseContext& context, Arguments arguments);
Parsed<Request> parse_address_flush(ParseContext& context, Arguments arguments);

}  // namespace nlsh
