#include "parser/ip/stats/stats.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "parser/ip/bridge/values.h"
#include "parser/ip/command.h"
#include "parser/ip/link/statistics.h"

namespace nlsh {
namespace {

// What `group G subgroup S suite U` has named so far; empty: all of what is above it.
struct Selection {
    std::string_view group, subgroup, suite;
};

bool fits(std::string_view wanted, std::string_view name) {
    return wanted.empty() || wanted == name;
}

StatsSuites suites_of(const Selection& selection) {
    StatsSuites suites = 0;
    for (size_t i = 0; i < std::size(stats_names); ++i) {
        const StatsName& name = stats_names[i];
        if (fits(selection.group, name.group) && fits(selection.subgroup, name.subgroup) &&
            fits(selection.suite, name.suite)) {
            suites |= StatsSuites{1} << i;
        }
    }
    return suites;
}

// What of the selection isn't there, or may not have what is below it, as iproute2 says it.
Parsed<void> check(const Selection& selection) {
    constexpr int status = 22;
    const auto missing = [](std::string_view what, std::string_view name, std::string_view within) {
        return refused(fmt::format("Error: no {} named {} found inside {}\n", what, name, within),
                       status);
    };
    const auto leaf = [](std::string_view what, std::string_view name, std::string_view of,
                         std::string_view within) {
        return refused(
            fmt::format("Error: {} {} requested inside leaf {} {}\n", what, name, of, within),
            status);
    };
    const auto& [group, subgroup, suite] = selection;
    if (group.empty() || suites_of(selection) != 0) return {};
    if (suites_of({group, {}, {}}) == 0) return missing("group", group, "top-level");
    const bool group_is_leaf = std::ranges::any_of(stats_names, [&](const StatsName& name) {
        return name.group == group && *name.subgroup == 0;
    });
    if (group_is_leaf) return leaf("subgroup", subgroup, "group", group);
    if (suites_of({group, subgroup, {}}) == 0) return missing("subgroup", subgroup, group);
    const bool subgroup_is_leaf = std::ranges::any_of(stats_names, [&](const StatsName& name) {
        return name.group == group && name.subgroup == subgroup && *name.suite == 0;
    });
    if (subgroup_is_leaf) return leaf("suite", suite, "subgroup", subgroup);
    return missing("suite", suite, subgroup);
}

// False: the word may not stand here.
bool select(std::vector<Selection>& selections, std::string_view word, std::string_view value) {
    if (value.empty()) return false;
    if (word == "group") {
        selections.push_back({value, {}, {}});
        return true;
    }
    if (selections.empty()) return false;
    Selection last = selections.back();
    std::string_view Selection::* const place =
        word == "subgroup" ? &Selection::subgroup : &Selection::suite;
    if (word == "suite" && last.subgroup.empty()) return false;
    const bool first = last.*place == "";
    if (word == "subgroup") last.suite = {};
    last.*place = value;
    if (first) selections.pop_back();
    selections.push_back(last);
    return true;
}

Parsed<void> take_device(Arguments& arguments, std::string& device) {
    if (device.empty()) return take_once(arguments, "dev", device, parse_device);
    const auto word = arguments.value("dev");
    if (!word) return std::unexpected(word.error());
    return garbage("dev", *word);
}

Parsed<ObjectResult> parse_show(ParseContext& context, Arguments arguments) {
    if (context.options.statistics > 0) return declined("stats: -statistics");
    StatsShow show;
    std::vector<Selection> selections;
    while (!arguments.empty()) {
        const std::string_view word = arguments.take();
        if (word == "dev") {
            const auto parsed = take_device(arguments, show.device);
            if (!parsed) return std::unexpected(parsed.error());
            continue;
        }
        if (word != "group" && word != "subgroup" && word != "suite") {
            return declined("stats: a word");
        }
        const auto value = arguments.value(word);
        if (!value) return std::unexpected(value.error());
        if (selections.empty() && word != "group" && !value->empty()) {
            return refused(fmt::format("Error: {} {} requested without selecting a group first\n",
                                       word, *value),
                           22);
        }
        if (!select(selections, word, *value)) return declined("stats: a word's place");
        if (auto known = check(selections.back()); !known) return std::unexpected(known.error());
    }
    if (selections.empty()) selections.push_back({});
    for (const Selection& selection : selections)
        show.suites |= suites_of(selection);
    return ObjectResult{std::move(show), "show", true};
}

// Without the word "show" -details changes nothing.
Parsed<ObjectResult> parse_default(ParseContext& context, Arguments arguments) {
    context.options.details = 0;
    return parse_show(context, arguments);
}

Parsed<ObjectResult> parse_set(ParseContext&, Arguments arguments) {
    StatsSet set;
    bool said = false;
    while (!arguments.empty()) {
        const std::string_view word = arguments.take();
        if (word == "dev") {
            const auto parsed = take_device(arguments, set.device);
            if (!parsed) return std::unexpected(parsed.error());
            continue;
        }
        if (word != "l3_stats" || said) return declined("stats set: a word");
        const auto value = arguments.value(word);
        if (!value) return std::unexpected(value.error());
        const auto on = parse_on_off_prefix(*value);
        if (!on) {
            return refused(fmt::format("Error: argument of \"l3_stats\" must be one of \"off\", "
                                       "\"on\", not \"{}\"\n",
                                       *value),
                           22);
        }
        set.on = *on;
        said = true;
    }
    if (set.device.empty())
        return refused("Not enough information: \"dev\" argument is required.\n");
    if (!said) return refused("Not enough information: stat type to toggle is required.\n");
    return ObjectResult{std::move(set), "set", false};
}

constexpr Verb verbs[] = {{"show", parse_show, true}, {"set", parse_set, true}};

}  // namespace

Parsed<ObjectResult> parse_stats(ParseContext& context, Arguments arguments) {
    auto result = parse_verb(context, arguments, verbs, parse_default);
    const bool unknown_verb =
        !result && result.error().message.starts_with("Command \"") && !arguments.empty();
    if (unknown_verb) result.error().status = 1;
    return result;
}

Parsed<ObjectResult> parse_link_xstats(ParseContext&, Arguments arguments) {
    if (arguments.empty()) return refused("xstats: missing argument\n", 1);
    const std::string_view first = arguments.take();
    if (matches(first, "help")) return declined("verb help");
    if (!matches(first, "type")) {
        return refused(fmt::format("Error: argument \"{}\" is wrong: unknown argument\n", first));
    }
    const auto type = arguments.value("type");
    if (!type) return std::unexpected(type.error());
    // iproute2 6.1.0 crashes on those of bonds.
    constexpr std::string_view silent[] = {"vrf", "vlan", "vxlan", "veth", "dummy", "macvlan"};
    if (std::ranges::find(silent, *type) != std::end(silent)) {
        return refused(fmt::format("xstats: link type {} doesn't support xstats\n", *type), 1);
    }
    if (*type != "bridge" && *type != "bridge_slave") return declined("xstats: type");
    LinkXstats xstats;
    xstats.slave = *type == "bridge_slave";
    while (!arguments.empty()) {
        const std::string_view word = arguments.take();
        Parsed<void> parsed = declined("xstats: a word");
        if (word == "dev") {
            parsed = take_once(arguments, word, xstats.device, parse_device);
        } else if ((word == "igmp" || word == "stp") && xstats.only == LinkXstats::Only::all) {
            xstats.only = word == "stp" ? LinkXstats::Only::stp : LinkXstats::Only::multicast;
            parsed = {};
        } else if (word != "igmp" && word != "stp" && xstats.device.empty() &&
                   !matches(word, "help")) {
            parsed =
                refused(fmt::format("Error: argument \"{}\" is wrong: unknown attribute\n", word));
        }
        if (!parsed) return std::unexpected(parsed.error());
    }
    return ObjectResult{std::move(xstats), "xstats", true};
}

Parsed<ObjectResult> parse_link_afstats(ParseContext&, Arguments arguments) {
    LinkAfstats afstats;
    if (!arguments.empty()) {
        const std::string_view word = arguments.take();
        if (matches(word, "help")) return declined("verb help");
        if (word != "dev") {
            return refused(fmt::format("Command \"{}\" is unknown, try \"ip link help\".\n", word));
        }
        const auto parsed = take_once(arguments, "dev", afstats.device, parse_device);
        if (!parsed) return std::unexpected(parsed.error());
    }
    if (!arguments.empty()) return declined("afstats: more words");
    return ObjectResult{std::move(afstats), "afstats", true};
}

}  // namespace nlsh
