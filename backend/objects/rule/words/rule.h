// `ip rule`: requests.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "parser/ip/arguments.h"
#include "parser/ip/field.h"
#include "parser/ip/verb.h"

namespace nlsh {

template <typename T>
struct Range {
    T first;
    T last;
    bool operator==(const Range&) const = default;
};

template <typename T>
struct Masked {
    T value;
    std::optional<T> mask;
};
using FirewallMark = Masked<uint32_t>;

// A single port may have a mask, which a show compares, too.
struct Ports : Range<uint16_t> {
    std::optional<uint16_t> mask = {};
};

// The selectors that identify a rule for a change, or filter a show.
struct RuleSelectors {
    uint8_t family = 0;
    bool invert = false;  // `not`
    bool l3mdev = false;
    std::optional<InetPrefix> from;
    std::optional<InetPrefix> to;
    std::optional<uint32_t> priority;
    std::optional<uint8_t> tos;
    std::optional<FirewallMark> mark;
    std::optional<std::string> iif;
    std::optional<std::string> oif;
    std::optional<Range<uint32_t>> uids;
    std::optional<uint8_t> ip_protocol;
    std::optional<Ports> source_ports;
    std::optional<Ports> destination_ports;
    std::optional<Masked<uint8_t>> dscp;
    std::optional<Masked<uint32_t>> flow_label;
    FieldValues fields;  // of rule_fields
    std::optional<uint32_t> table;
    std::optional<uint8_t> protocol;  // the rule's origin; shows ignore it
};

struct RuleChange {
    ChangeVerb verb = ChangeVerb::add;
    RuleSelectors selectors;
    std::optional<uint8_t> action;   // FR_ACT_*
    std::optional<uint32_t> target;  // for goto
    std::optional<uint32_t> realms;
    std::optional<uint32_t> suppress_prefix_length;
    std::optional<uint32_t> suppress_group;
};

// Deletes all rules except the one with priority 0.
struct RuleFlush {
    uint8_t family = 0;
};

struct RuleShow {
    RuleSelectors filter;
};

}  // namespace nlsh
