// The words of `ip link show`; `ip address show` shares most of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "parser/decline.h"

namespace nlsh {

// Selects links. Names are looked up when the command runs.
struct LinkSelection {
    std::string device;  // empty: all
    std::string master;  // `master M`; empty: any
    std::string vrf;     // `vrf V`: a master that must be a VRF; never together with `master`
    bool nomaster = false;
    bool up = false;
    bool down = false;
    bool no_functions = false;  // `novf`: hide virtual functions
    std::optional<uint32_t> group;
    std::string kind;        // `type vlan`
    std::string slave_kind;  // `type bridge_slave`: "bridge"
};

struct LinkShow {
    LinkSelection selection;
};

class Arguments;
struct ParseContext;
class Request;

// The words after `ip link show`.
Parsed<Request> parse_link_show(ParseContext& context, Arguments arguments);
// Takes one keyword of a selection (`up`, `master M`, …) with its value; false: another word.
Parsed<bool> parse_link_selection(const ParseContext& context, Arguments& arguments,
                                  LinkSelection& selection);

}  // namespace nlsh
