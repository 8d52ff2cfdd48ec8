#include "parser/ip/bridge/link.h"

#include <fmt/format.h>
#include <linux/if_bridge.h>
#include <linux/if_link.h>

#include <algorithm>
#include <cerrno>
#include <charconv>

#include "parser/ip/bridge/values.h"
#include "parser/ip/command.h"
#include "parser/ip/take_last.h"

namespace nlsh {
namespace {

Parsed<uint32_t> parse_switch(std::string_view word) {
    const auto on = parse_on_off_prefix(word);
    if (!on) return std::unexpected(on.error());
    return *on ? 1U : 0U;
}
// What atoi makes of it: the digits at its start, 0 without any. Blanks, and what doesn't fit, are
// left to bridge.
Parsed<int32_t> parse_leading(std::string_view word) {
    int32_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    const bool plain = word.find_first_of("+ \t\n\v\f\r") == word.npos;
    if (!plain || error == std::errc::result_out_of_range) return declined("link set: a number");
    return error == std::errc{} ? value : 0;
}
Parsed<uint32_t> parse_state(std::string_view word) {
    if (const auto state = port_state(word)) return uint32_t{*state};
    if (is_plain_value(word) && word.find_first_not_of("0123456789") != word.npos) {
        return refused("Error: invalid STP port state\n");
    }
    const auto number = parse_leading(word);
    if (!number) return std::unexpected(number.error());
    return static_cast<uint8_t>(*number);
}
Parsed<uint32_t> parse_cost(std::string_view word) {
    const auto cost = parse_leading(word);
    if (!cost) return std::unexpected(cost.error());
    return static_cast<uint32_t>(*cost);
}
Parsed<uint32_t> parse_priority(std::string_view word) {
    const auto priority = parse_leading(word);
    if (!priority) return std::unexpected(priority.error());
    return static_cast<uint16_t>(*priority);
}
Parsed<uint32_t> parse_router(std::string_view word) {
    const auto router = parse_leading(word);
    if (!router) return std::unexpected(router.error());
    return static_cast<uint8_t>(*router);
}

// Keywords with a value that is sent as it is.
struct Keyword {
    std::string_view word;
    uint16_t type;
    uint8_t size = 1;
    Parsed<uint32_t> (*parse)(std::string_view) = parse_switch;
};
constexpr Keyword keywords[] = {
    {"guard", IFLA_BRPORT_GUARD},
    {"hairpin", IFLA_BRPORT_MODE},
    {"fastleave", IFLA_BRPORT_FAST_LEAVE},
    {"root_block", IFLA_BRPORT_PROTECT},
    {"flood", IFLA_BRPORT_UNICAST_FLOOD},
    {"mcast_router", IFLA_BRPORT_MULTICAST_ROUTER, 1, parse_router},
    {"mcast_flood", IFLA_BRPORT_MCAST_FLOOD},
    {"bcast_flood", IFLA_BRPORT_BCAST_FLOOD},
    {"mcast_to_unicast", IFLA_BRPORT_MCAST_TO_UCAST},
    {"learning", IFLA_BRPORT_LEARNING},
    {"learning_sync", IFLA_BRPORT_LEARNING_SYNC},
    {"cost", IFLA_BRPORT_COST, 4, parse_cost},
    {"priority", IFLA_BRPORT_PRIORITY, 2, parse_priority},
    {"state", IFLA_BRPORT_STATE, 1, parse_state},
    {"neigh_suppress", IFLA_BRPORT_NEIGH_SUPPRESS},
    {"vlan_tunnel", IFLA_BRPORT_VLAN_TUNNEL},
    {"isolated", IFLA_BRPORT_ISOLATED},
    {"locked", IFLA_BRPORT_LOCKED},
};

// The last value of a keyword counts.
void set_attribute(std::vector<PortAttribute>& attributes, const PortAttribute& attribute) {
    const auto place = std::ranges::find(attributes, attribute.type, &PortAttribute::type);
    if (place == attributes.end()) {
        attributes.push_back(attribute);
    } else {
        *place = attribute;
    }
}

struct Unsaid {
    uint16_t type;
    bool (*is)(uint32_t value);
};
constexpr Unsaid unsaid_values[] = {
    {IFLA_BRPORT_COST, [](uint32_t cost) { return cost == 0; }},
    {IFLA_BRPORT_PRIORITY, [](uint32_t priority) { return static_cast<int16_t>(priority) < 0; }},
    {IFLA_BRPORT_STATE, [](uint32_t state) { return static_cast<int8_t>(state) < 0; }},
    {IFLA_BRPORT_MULTICAST_ROUTER, [](uint32_t router) { return static_cast<int8_t>(router) < 0; }},
};

Parsed<void> parse_keyword(Arguments& arguments, const Keyword& keyword, BridgeLinkSet& set) {
    const auto word = arguments.value(keyword.word);
    if (!word) return std::unexpected(word.error());
    const auto value = keyword.parse(*word);
    if (!value && keyword.parse == parse_switch) {
        return refused(
            fmt::format("Error: argument of \"{}\" must be one of \"off\", \"on\", not \"{}\"\n",
                        keyword.word, *word),
            256 - EINVAL);
    }
    if (!value) return std::unexpected(value.error());
    // What it takes for "not said" isn't sent: none of it when it is said again, either.
    const auto* const unsaid = std::ranges::find(unsaid_values, keyword.type, &Unsaid::type);
    if (unsaid != std::end(unsaid_values) && unsaid->is(*value)) {
        std::erase_if(set.attributes,
                      [&](const PortAttribute& sent) { return sent.type == keyword.type; });
        return {};
    }
    set_attribute(set.attributes, {keyword.type, keyword.size, *value});
    return {};
}

Parsed<void> set_flags(BridgeLinkSet& set, uint16_t flag) {
    set.flags = static_cast<uint16_t>(set.flags | flag);
    return {};
}

Parsed<void> parse_mode(Arguments& arguments, BridgeLinkSet& set) {
    if (arguments.take_if("vepa")) {
        set.mode = BRIDGE_MODE_VEPA;
    } else if (arguments.take_if("veb")) {
        set.mode = BRIDGE_MODE_VEB;
    } else {
        return refused("Mode argument must be \"vepa\" or \"veb\".\n");
    }
    return set_flags(set, BRIDGE_FLAGS_SELF);
}

Parsed<void> parse_backup_port(Arguments& arguments, BridgeLinkSet& set) {
    const auto word = arguments.value("backup_port");
    if (!word) return std::unexpected(word.error());
    auto device = parse_device(*word);
    if (!device) return std::unexpected(device.error());
    set.backup_port = std::move(*device);
    return {};
}

Parsed<void> parse_set_word(Arguments& arguments, BridgeLinkSet& set) {
    const std::string_view word = arguments.take();
    const auto keyword = std::ranges::find(keywords, word, &Keyword::word);
    if (keyword != std::end(keywords)) return parse_keyword(arguments, *keyword, set);
    if (word == "dev") return take_last(arguments, word, set.device, parse_device);
    if (word == "hwmode") return parse_mode(arguments, set);
    if (word == "self") return set_flags(set, BRIDGE_FLAGS_SELF);
    if (word == "master") return set_flags(set, BRIDGE_FLAGS_MASTER);
    // Each backup_port is looked up in its turn; two of them are left to the real one.
    if (set.backup_port) return declined("link set: backup_port twice");
    if (word == "backup_port") return parse_backup_port(arguments, set);
    if (word != "nobackup_port") return declined(fmt::format("link set: {}", word));
    set.backup_port.emplace();
    return {};
}

Parsed<ObjectResult> parse_set(ParseContext&, Arguments arguments) {
    BridgeLinkSet set;
    while (!arguments.empty()) {
        if (auto parsed = parse_set_word(arguments, set); !parsed) {
            return std::unexpected(parsed.error());
        }
    }
    if (set.device.empty()) return refused("Device is a required argument.\n");
    return ObjectResult{std::move(set), "set", false};
}

Parsed<ObjectResult> parse_show(ParseContext& context, Arguments arguments) {
    // A filter stays for the lines after it (facts, 1.6).
    if (context.options.batch) return declined("link show in a batch");
    BridgeLinkShow show;
    while (!arguments.empty()) {
        const std::string_view word = arguments.take();
        if (word != "dev") continue;  // other words don't count
        if (auto parsed = take_single(arguments, word, show.device, parse_device); !parsed) {
            return std::unexpected(parsed.error());
        }
    }
    return ObjectResult{std::move(show), "show", true};
}

constexpr Verb verbs[] = {
    {"set", parse_set},  {"change", parse_set}, {"show", parse_show},
    {"lst", parse_show}, {"list", parse_show},
};

}  // namespace

Parsed<ObjectResult> parse_bridge_link(ParseContext& context, Arguments arguments) {
    return parse_verb(context, arguments, verbs, parse_show);
}

}  // namespace nlsh
