#include "backend/objects/link/words/show.h"

#include <fmt/format.h>

#include <algorithm>
#include <climits>

#include "backend/objects/link/words/options.h"
#include "parser/ip/command.h"
#include "parser/ip/keywords.h"
#include "parser/ip/refusal.h"
#include "parser/try.h"

namespace nlsh {
namespace {

struct Draft {
    LinkSelection& selection;
    const NameTables& names;
};

bool has_master(const LinkSelection& selection) {
    return selection.nomaster || !selection.master.empty() || !selection.vrf.empty();
}

template <bool LinkSelection::* Flag>
Parsed<void> take_flag(Draft& draft, Arguments&) {
    draft.selection.*Flag = true;
    return {};
}

Parsed<void> take_group(Draft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("group"));
    auto& group = draft.selection.group;
    group = draft.names.value(NameKind::group, word);
    if (!group) group = truncated_group(word);
    if (!group && parse_u64(word)) return declined("group: more than 32 bits");
    if (!group || *group > INT_MAX) return unreadable(word, "group: no such name");
    return {};
}

Parsed<void> take_master(Draft& draft, Arguments& arguments) {
    if (has_master(draft.selection)) return declined("several masters");
    if (!arguments.empty() && arguments.peek().starts_with("if")) return declined("master ifN");
    return take_once(arguments, "master", draft.selection.master, parse_device);
}

Parsed<void> take_vrf(Draft& draft, Arguments& arguments) {
    if (has_master(draft.selection)) return declined("several masters");
    return take_once(arguments, "vrf", draft.selection.vrf, parse_device);
}

Parsed<void> take_nomaster(Draft& draft, Arguments&) {
    if (has_master(draft.selection)) return declined("several masters");
    draft.selection.nomaster = true;
    return {};
}

Parsed<void> take_type(Draft& draft, Arguments& arguments) {
    static constexpr std::string_view slave = "_slave";
    LinkSelection& selection = draft.selection;
    if (!selection.kind.empty() || !selection.slave_kind.empty()) return declined("several types");
    const auto word = TRY(arguments.value("type"));
    if (word.empty() || word == slave) return declined("type: empty");
    if (word.ends_with(slave)) {
        selection.slave_kind = word.substr(0, word.size() - slave.size());
    } else {
        selection.kind = word;
    }
    return {};
}

constexpr Keyword<Draft> keywords[] = {
    {.word = "up", .take = take_flag<&LinkSelection::up>},
    {.word = "down", .take = take_flag<&LinkSelection::down>, .since = Trait::link_show_down},
    {.word = "novf",
     .take = take_flag<&LinkSelection::no_functions>,
     .since = Trait::link_show_down},
    {.word = "group", .take = take_group, .complaint = "Invalid \"group\" value\n"},
    {.word = "master", .take = take_master},
    {.word = "vrf", .take = take_vrf},
    {.word = "nomaster", .take = take_nomaster, .since = Trait::words_of_6_1},
    {.word = "type", .take = take_type},
};

// `ip link show` also takes these filters of addresses, but nobody needs them natively.
constexpr std::string_view address_words[] = {"to", "scope", "label"};
// Flags of addresses. They have no effect here.
constexpr std::string_view flag_words[] = {
    "dynamic",    "permanent",  "secondary",     "temporary", "primary",
    "deprecated", "tentative",  "dadfailed",     "home",      "nodad",
    "mngtmpaddr", "optimistic", "noprefixroute", "autojoin",  "stable-privacy",
};

// A name that neither a device nor an altname can have. iproute2 finds this last, after the
// look-ups of other words.
Parsed<Request> no_such_device(const std::string& name) {
    return refused(fmt::format("Device \"{}\" does not exist.\n", name), 1);
}

}  // namespace

Parsed<bool> parse_link_selection(const ParseContext& context, Arguments& arguments,
                                  LinkSelection& selection) {
    Draft draft{.selection = selection, .names = context.names};
    return take_keyword<Draft>(keywords, draft, arguments);
}

Parsed<Request> parse_link_show(ParseContext& context, Arguments arguments) {
    LinkShow request;
    if (context.options.statistics > 0 && (context.options.human || context.options.iec)) {
        return declined("link show: human readable statistics");
    }
    while (!arguments.empty()) {
        if (TRY(parse_link_selection(context, arguments, request.selection))) continue;
        const bool named = arguments.take_if("dev");
        const std::string_view word = named ? TRY(arguments.value("dev")) : arguments.take();
        if (!named && std::ranges::find(flag_words, word) != std::end(flag_words)) continue;
        const bool keyword = std::ranges::find(address_words, word) != std::end(address_words);
        const bool protocol = word == "proto" && !arguments.traits().lacks(Trait::address_protocol);
        if (!named && (keyword || protocol || word.starts_with('-') || matches(word, "help"))) {
            return declined("link show: not native word");
        }
        if (!request.selection.device.empty()) return garbage(arguments.traits(), "dev", word);
        const bool impossible = word.empty() || word.contains('/');
        if (impossible && arguments.empty() && !has_master(request.selection)) {
            return no_such_device(std::string(word));
        }
        request.selection.device = TRY(parse_device(word));
    }
    return request;
}

}  // namespace nlsh
