#include "parser/ip/bridge_vlan.h"

#include <fmt/format.h>
#include <linux/if_bridge.h>

#include "parser/ip/bridge_values.h"
#include "parser/ip/command.h"

namespace nlsh {
namespace {

constexpr uint32_t max_vid = 4095;  // 4095 itself is the kernel's to refuse
constexpr uint32_t max_tunnel_id = (1 << 24) - 1;

// Words without a value.
struct Flag {
    std::string_view word;
    uint16_t VlanChange::* field;
    uint16_t bit;
};
constexpr Flag flags[] = {
    {"self", &VlanChange::bridge_flags, BRIDGE_FLAGS_SELF},
    {"master", &VlanChange::bridge_flags, BRIDGE_FLAGS_MASTER},
    {"pvid", &VlanChange::vlan_flags, BRIDGE_VLAN_INFO_PVID},
    {"untagged", &VlanChange::vlan_flags, BRIDGE_VLAN_INFO_UNTAGGED},
};

Parsed<IdRange> parse_range(std::string_view word, uint32_t limit) {
    const size_t dash = word.find('-');
    const auto first = parse_decimal(word.substr(0, dash), limit);
    if (!first) return std::unexpected(first.error());
    IdRange range{.first = *first, .last = {}};
    if (dash == word.npos) return range;
    const auto last = parse_decimal(word.substr(dash + 1), limit);
    if (!last) return std::unexpected(last.error());
    if (*last <= *first) return declined(fmt::format("bad range: {}", word));
    range.last = *last;
    return range;
}

Parsed<IdRange> parse_vid(std::string_view word) {
    return parse_range(word, max_vid);
}
Parsed<IdRange> parse_tunnel_id(std::string_view word) {
    return parse_range(word, max_tunnel_id);
}

Parsed<void> parse_change_word(Arguments& arguments, VlanChange& change,
                               std::optional<IdRange>& vid) {
    const std::string_view word = arguments.take();
    for (const Flag& flag : flags) {
        if (word != flag.word) continue;
        change.*flag.field = static_cast<uint16_t>(change.*flag.field | flag.bit);
        return {};
    }
    if (word == "dev") return take_once(arguments, word, change.device, parse_device);
    if (word == "vid") return take_once(arguments, word, vid, parse_vid);
    if (word == "tunnel_info" && arguments.take_if("id")) {
        return take_once(arguments, word, change.tunnel, parse_tunnel_id);
    }
    // bridge skips words that it doesn't know; other versions know more of them.
    return declined(fmt::format("vlan: {}", word));
}

Parsed<ObjectResult> parse_change(Arguments arguments, bool add) {
    VlanChange change;
    change.add = add;
    std::optional<IdRange> vid;
    while (!arguments.empty()) {
        if (auto parsed = parse_change_word(arguments, change, vid); !parsed) {
            return std::unexpected(parsed.error());
        }
    }
    if (change.device.empty() || !vid) return declined("vlan: dev and vid are required");
    change.vid = *vid;
    if (change.vid.last && (change.vlan_flags & BRIDGE_VLAN_INFO_PVID) != 0) {
        return declined("vlan: pvid for a range");
    }
    if (change.tunnel && (change.vlan_flags != 0 ||
                          change.tunnel->last.has_value() != change.vid.last.has_value())) {
        return declined("vlan: unlike ranges of vid and tunnel_info");
    }
    return ObjectResult{std::move(change), add ? "add" : "delete", false};
}

Parsed<ObjectResult> parse_add(ParseContext&, Arguments arguments) {
    return parse_change(arguments, true);
}
Parsed<ObjectResult> parse_delete(ParseContext&, Arguments arguments) {
    return parse_change(arguments, false);
}

Parsed<ObjectResult> parse_list(ParseContext& context, Arguments arguments, bool tunnels) {
    // A filter stays for the lines after it (facts, 1.6).
    if (context.options.batch) return declined("vlan show in a batch");
    if (tunnels && (context.options.statistics > 0 || context.options.details > 0)) {
        return declined("vlan tunnelshow with -s or -d");
    }
    VlanShow show;
    show.tunnels = tunnels;
    while (!arguments.empty()) {
        const std::string_view word = arguments.take();
        Parsed<void> parsed = declined(fmt::format("vlan show: {}", word));
        if (word == "dev") parsed = take_once(arguments, word, show.device, parse_device);
        if (word == "vid") {
            parsed = take_once(arguments, word, show.vid,
                               [](std::string_view vid) { return parse_decimal(vid, max_vid); });
        }
        if (!parsed) return std::unexpected(parsed.error());
    }
    return ObjectResult{std::move(show), tunnels ? "tunnelshow" : "show", true};
}

Parsed<ObjectResult> parse_show(ParseContext& context, Arguments arguments) {
    return parse_list(context, arguments, false);
}
Parsed<ObjectResult> parse_tunnelshow(ParseContext& context, Arguments arguments) {
    return parse_list(context, arguments, true);
}

constexpr Verb verbs[] = {
    {"add", parse_add},  {"delete", parse_delete}, {"show", parse_show},
    {"lst", parse_show}, {"list", parse_show},     {"tunnelshow", parse_tunnelshow},
};

}  // namespace

Parsed<ObjectResult> parse_bridge_vlan(ParseContext& context, Arguments arguments) {
    return parse_verb(context, arguments, verbs, parse_show);
}

}  // namespace nlsh
