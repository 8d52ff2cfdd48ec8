#include "parser/ip/stats.h"

#include <iterator>
#include <vector>

#include "parser/ip/bridge_values.h"
#include "parser/ip/command.h"
#include "parser/ip/link_statistics.h"

namespace nlsh {
namespace {

// What `group G subgroup S suite U` has named so far; empty: all of what is above it.
struct Selection {
    std::string_view group, subgroup, suite;
};

bool fits(std::string_view wanted, std::string_view name) {
    return wanted.empty() || wanted == name;
}

Parsed<StatsSuites> suites_of(const Selection& selection) {
    StatsSuites suites = 0;
    for (size_t i = 0; i < std::size(stats_names); ++i) {
        const StatsName& name = stats_names[i];
        if (fits(selection.group, name.group) && fits(selection.subgroup, name.subgroup) &&
            fits(selection.suite, name.suite)) {
            suites |= StatsSuites{1} << i;
        }
    }
    if (suites == 0) return declined("stats: no such group");
    return suites;
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

Parsed<ObjectResult> parse_show(ParseContext& context, Arguments arguments) {
    if (context.options.statistics > 0) return declined("stats: -statistics");
    StatsShow show;
    std::vector<Selection> selections;
    while (!arguments.empty()) {
        const std::string_view word = arguments.take();
        if (word == "dev") {
            const auto parsed = take_once(arguments, word, show.device, parse_device);
            if (!parsed) return std::unexpected(parsed.error());
            continue;
        }
        if (word != "group" && word != "subgroup" && word != "suite") {
            return declined("stats: a word");
        }
        const auto value = arguments.value(word);
        if (!value) return std::unexpected(value.error());
        if (!select(selections, word, *value)) return declined("stats: a word's place");
    }
    if (selections.empty()) selections.push_back({});
    for (const Selection& selection : selections) {
        const auto suites = suites_of(selection);
        if (!suites) return std::unexpected(suites.error());
        show.suites |= *suites;
    }
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
            const auto parsed = take_once(arguments, word, set.device, parse_device);
            if (!parsed) return std::unexpected(parsed.error());
            continue;
        }
        if (word != "l3_stats" || said) return declined("stats set: a word");
        const auto value = arguments.value(word);
        if (!value) return std::unexpected(value.error());
        const auto on = parse_on_off_prefix(*value);
        if (!on) return std::unexpected(on.error());
        set.on = *on;
        said = true;
    }
    if (!said || set.device.empty()) return declined("stats set: dev and l3_stats");
    return ObjectResult{std::move(set), "set", false};
}

constexpr Verb verbs[] = {{"show", parse_show, true}, {"set", parse_set, true}};

}  // namespace

Parsed<ObjectResult> parse_stats(ParseContext& context, Arguments arguments) {
    return parse_verb(context, arguments, verbs, parse_default);
}

Parsed<ObjectResult> parse_link_xstats(ParseContext&, Arguments arguments) {
    if (arguments.empty() || !matches(arguments.take(), "type")) return declined("xstats: no type");
    const auto type = arguments.value("type");
    if (!type) return std::unexpected(type.error());
    // iproute2 6.1.0 crashes on those of bonds (facts, 1.4).
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
        }
        if (!parsed) return std::unexpected(parsed.error());
    }
    return ObjectResult{std::move(xstats), "xstats", true};
}

Parsed<ObjectResult> parse_link_afstats(ParseContext&, Arguments arguments) {
    LinkAfstats afstats;
    if (!arguments.empty()) {
        if (arguments.take() != "dev") return declined("afstats: a word");
        const auto parsed = take_once(arguments, "dev", afstats.device, parse_device);
        if (!parsed) return std::unexpected(parsed.error());
    }
    if (!arguments.empty()) return declined("afstats: more words");
    return ObjectResult{std::move(afstats), "afstats", true};
}

}  // namespace nlsh
