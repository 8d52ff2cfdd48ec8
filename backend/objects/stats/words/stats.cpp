#include "backend/objects/stats/words/stats.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "backend/objects/link/words/verbs.h"
#include "parser/ip/command.h"
#include "parser/ip/keywords.h"
#include "parser/try.h"

namespace nlsh {
namespace {

// The words `group G subgroup S suite U` so far; empty: everything at this level and below.
struct Selection {
    std::string_view group, subgroup, suite;
};

bool fits(std::string_view wanted, std::string_view name) {
    return wanted.empty() || wanted == name;
}

StatsSuites suites_of(const Traits& traits, const Selection& selection) {
    StatsSuites suites = 0;
    for (size_t i = 0; i < std::size(stats_names); ++i) {
        const StatsName& name = stats_names[i];
        if (traits.has(name.since) && fits(selection.group, name.group) &&
            fits(selection.subgroup, name.subgroup) && fits(selection.suite, name.suite)) {
            suites |= StatsSuites{1} << i;
        }
    }
    return suites;
}

// iproute2's error if a part of the selection doesn't exist or can't contain the next part.
Parsed<void> check(const Traits& traits, const Selection& selection) {
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
    if (group.empty() || suites_of(traits, selection) != 0) return {};
    if (suites_of(traits, {group, {}, {}}) == 0) return missing("group", group, "top-level");
    const bool group_is_leaf = std::ranges::any_of(stats_names, [&](const StatsName& name) {
        return name.group == group && *name.subgroup == 0;
    });
    if (group_is_leaf) return leaf("subgroup", subgroup, "group", group);
    if (suites_of(traits, {group, subgroup, {}}) == 0) return missing("subgroup", subgroup, group);
    const bool subgroup_is_leaf = std::ranges::any_of(stats_names, [&](const StatsName& name) {
        return name.group == group && name.subgroup == subgroup && *name.suite == 0;
    });
    if (subgroup_is_leaf) return leaf("suite", suite, "subgroup", subgroup);
    return missing("suite", suite, subgroup);
}

Parsed<std::string> parse_stats_device(Arguments& arguments, const std::string& before) {
    const std::string_view word = TRY(arguments.value("dev"));
    if (!before.empty()) return garbage(arguments.traits(), "dev", word);
    return parse_device(word);
}

struct ShowDraft : StatsShow {
    std::vector<Selection> selections = {};
};

Parsed<void> take_show_device(ShowDraft& draft, Arguments& arguments) {
    draft.device = TRY(parse_stats_device(arguments, draft.device));
    return {};
}

Parsed<void> take_group(ShowDraft& draft, Arguments& arguments) {
    const std::string_view value = TRY(arguments.value("group"));
    if (value.empty()) return declined("stats: an empty group");
    draft.selections.push_back({value, {}, {}});
    return check(arguments.traits(), draft.selections.back());
}

// Takes a subgroup or a suite of the last selection. A second one starts another selection.
template <std::string_view Selection::* Place>
Parsed<void> take_part(ShowDraft& draft, Arguments& arguments) {
    constexpr bool suite = Place == &Selection::suite;
    constexpr std::string_view word = suite ? "suite" : "subgroup";
    const std::string_view value = TRY(arguments.value(word));
    if (value.empty()) return declined("stats: an empty part");
    if (draft.selections.empty()) {
        return refused(
            fmt::format("Error: {} {} requested without selecting a group first\n", word, value),
            22);
    }
    Selection last = draft.selections.back();
    if (suite && last.subgroup.empty()) return declined("stats: a suite without a subgroup");
    if ((last.*Place).empty()) draft.selections.pop_back();
    if (!suite) last.suite = {};
    last.*Place = value;
    draft.selections.push_back(last);
    return check(arguments.traits(), last);
}

constexpr Keyword<ShowDraft> show_keywords[] = {
    {.word = "dev", .take = take_show_device},
    {.word = "group", .take = take_group},
    {.word = "subgroup", .take = take_part<&Selection::subgroup>},
    {.word = "suite", .take = take_part<&Selection::suite>},
};

template <typename State>
Parsed<void> not_native(State&, Arguments&) {
    return declined("stats: a word");
}

// Whether iproute2 accepts these words before it looks for their group.
bool are_harmless(Words words) {
    while (!words.empty()) {
        constexpr std::string_view known[] = {"group", "subgroup"};
        if (std::ranges::find(known, words[0]) == std::end(known) || words.size() < 2) return false;
        words = words.subspan(2);
    }
    return true;
}

Parsed<Request> parse_show(ParseContext& context, Arguments arguments) {
    if (context.options.statistics > 0) return declined("stats: -statistics");
    if (arguments.traits()[Trait::stats_vlan_suite] == Traits::Answer::unknown)
        return declined(unknown_trait(arguments.traits(), Trait::stats_vlan_suite));
    ShowDraft draft;
    if (const auto taken = take_words(show_keywords, draft, arguments, not_native); !taken) {
        return std::unexpected(are_harmless(arguments.rest()) ? taken.error()
                                                              : unexplained(taken.error()));
    }
    if (draft.selections.empty()) draft.selections.push_back({});
    for (const Selection& selection : draft.selections)
        draft.suites |= suites_of(arguments.traits(), selection);
    return StatsShow(std::move(draft));
}

// -details has no effect without the word "show".
Parsed<Request> parse_default(ParseContext& context, Arguments arguments) {
    context.options.details = 0;
    return parse_show(context, arguments);
}

struct SetDraft : StatsSet {
    bool said = false;
};

Parsed<void> take_set_device(SetDraft& draft, Arguments& arguments) {
    draft.device = TRY(parse_stats_device(arguments, draft.device));
    return {};
}

Parsed<void> take_l3_stats(SetDraft& draft, Arguments& arguments) {
    if (draft.said) return declined("stats set: a word twice");
    const std::string_view value = TRY(arguments.value("l3_stats"));
    draft.on = TRY(parse_switch("l3_stats", value, arguments.traits(), 22));
    draft.said = true;
    return {};
}

constexpr Keyword<SetDraft> set_keywords[] = {
    {.word = "dev", .take = take_set_device},
    {.word = "l3_stats", .take = take_l3_stats},
};

Parsed<Request> parse_set(ParseContext&, Arguments arguments) {
    SetDraft draft;
    TRY(take_words(set_keywords, draft, arguments, not_native));
    if (draft.device.empty())
        return refused("Not enough information: \"dev\" argument is required.\n");
    if (!draft.said) return refused("Not enough information: stat type to toggle is required.\n");
    return StatsSet(std::move(draft));
}

constexpr Verb verbs[] = {
    {.words = {"show"}, .parse = parse_show, .exact = true, .is = shows_late},
    {.words = {"set"}, .parse = parse_set, .exact = true},
    {.words = {}, .parse = parse_default, .name = "show", .is = shows_late},
};

Parsed<Request> parse_stats(ParseContext& context, Arguments arguments) {
    auto result = parse_verb({.rows = verbs, .none = {}}, context, arguments);
    const bool unknown_verb =
        !result && result.error().message.starts_with("Command \"") && !arguments.empty();
    if (unknown_verb) result.error().status = 1;
    return result;
}

}  // namespace

const Object stats_object{
    .words = {"stats"}, .name = "stats", .parse = parse_stats, .since = Trait::stats_object};

namespace {

template <LinkXstats::Only Part>
Parsed<void> take_only(LinkXstats& xstats, Arguments&) {
    if (xstats.only != LinkXstats::Only::all) return declined("xstats: a word");
    xstats.only = Part;
    return {};
}

constexpr Keyword<LinkXstats> xstats_keywords[] = {
    {.word = "dev", .take = once<&LinkXstats::device, parse_device>},
    {.word = "mcast", .also = {"igmp"}, .take = take_only<LinkXstats::Only::multicast>},
    {.word = "stp", .take = take_only<LinkXstats::Only::stp>},
};

Parsed<void> refuse_xstats_word(LinkXstats& xstats, Arguments& arguments) {
    const std::string_view word = arguments.peek();
    if (!xstats.device.empty() || matches(word, "help")) return declined("xstats: a word");
    return refused(fmt::format("Error: argument \"{}\" is wrong: unknown attribute\n", word));
}

}  // namespace

Parsed<Request> parse_link_xstats(ParseContext&, Arguments arguments) {
    if (arguments.empty()) return refused("xstats: missing argument\n", 1);
    const std::string_view first = arguments.take();
    if (matches(first, "help")) return declined("verb help");
    if (!matches(first, "type")) {
        return refused(fmt::format("Error: argument \"{}\" is wrong: unknown argument\n", first));
    }
    const auto type = TRY(arguments.value("type"));
    // iproute2 crashes on bonds, so their lines fall back.
    constexpr std::string_view silent[] = {"vrf", "vlan", "vxlan", "veth", "dummy", "macvlan"};
    if (std::ranges::find(silent, type) != std::end(silent)) {
        return refused(fmt::format("xstats: link type {} doesn't support xstats\n", type), 1);
    }
    if (type != "bridge" && type != "bridge_slave") return declined("xstats: type");
    LinkXstats xstats;
    xstats.slave = type == "bridge_slave";
    TRY(take_words(xstats_keywords, xstats, arguments, refuse_xstats_word));
    return xstats;
}

Parsed<Request> parse_link_afstats(ParseContext& context, Arguments arguments) {
    const uint8_t family = context.options.family;
    if (family != AF_UNSPEC && family != AF_MPLS) return declined("afstats: family");
    LinkAfstats afstats;
    if (!arguments.empty()) {
        const std::string_view word = arguments.take();
        if (matches(word, "help")) return declined("verb help");
        if (word != "dev") {
            return refused(fmt::format("Command \"{}\" is unknown, try \"ip link help\".\n", word));
        }
        TRY(take_once(arguments, "dev", afstats.device, parse_device));
    }
    if (!arguments.empty()) return declined("afstats: more words");
    return afstats;
}

}  // namespace nlsh
