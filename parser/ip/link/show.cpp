#include "parser/ip/link/show.h"
#include "parser/ip/stats/stats.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "parser/ip/command.h"
#include "parser/ip/link/options.h"
#include "parser/ip/refusal.h"

namespace nlsh {
namespace {

using Read = Parsed<void> (*)(const ParseContext&, Arguments&, LinkSelection&);

bool has_master(const LinkSelection& selection) {
    return selection.nomaster || !selection.master.empty() || !selection.vrf.empty();
}

Parsed<void> read_device(Arguments& arguments, std::string_view keyword, std::string& device) {
    const auto word = arguments.value(keyword);
    if (!word) return std::unexpected(word.error());
    auto name = parse_device(*word);
    if (!name) return std::unexpected(name.error());
    device = *std::move(name);
    return {};
}

Parsed<void> read_up(const ParseContext&, Arguments&, LinkSelection& selection) {
    selection.up = true;
    return {};
}

Parsed<void> read_group(const ParseContext& context, Arguments& arguments,
                        LinkSelection& selection) {
    const auto word = arguments.value("group");
    if (!word) return std::unexpected(word.error());
    selection.group = context.names.value(NameKind::group, *word);
    if (!selection.group) selection.group = truncated_group(*word);
    if (!selection.group && parse_u64(*word)) return declined("group: more than 32 bits");
    if (!selection.group && is_plain_value(*word)) {
        return refused(
            fmt::format("Error: argument \"{}\" is wrong: Invalid \"group\" value\n\n", *word));
    }
    if (!selection.group) return declined("group: no such name");
    return {};
}

Parsed<void> read_master(const ParseContext&, Arguments& arguments, LinkSelection& selection) {
    if (has_master(selection)) return declined("several masters");
    if (!arguments.empty() && arguments.peek().starts_with("if")) return declined("master ifN");
    return read_device(arguments, "master", selection.master);
}

Parsed<void> read_vrf(const ParseContext&, Arguments& arguments, LinkSelection& selection) {
    if (has_master(selection)) return declined("several masters");
    return read_device(arguments, "vrf", selection.vrf);
}

Parsed<void> read_nomaster(const ParseContext&, Arguments&, LinkSelection& selection) {
    if (has_master(selection)) return declined("several masters");
    selection.nomaster = true;
    return {};
}

Parsed<void> read_type(const ParseContext&, Arguments& arguments, LinkSelection& selection) {
    static constexpr std::string_view slave = "_slave";
    if (!selection.kind.empty() || !selection.slave_kind.empty()) return declined("several types");
    const auto word = arguments.value("type");
    if (!word) return std::unexpected(word.error());
    if (word->empty() || *word == slave) return declined("type: empty");
    if (word->ends_with(slave)) {
        selection.slave_kind = word->substr(0, word->size() - slave.size());
    } else {
        selection.kind = *word;
    }
    return {};
}

struct Keyword {
    std::string_view word;
    Read read;
};
constexpr Keyword keywords[] = {
    {"up", read_up},   {"group", read_group},       {"master", read_master},
    {"vrf", read_vrf}, {"nomaster", read_nomaster}, {"type", read_type},
};

// Words that select addresses, which `ip link show` takes too; they aren't worth a native answer.
constexpr std::string_view address_words[] = {"to", "scope", "label"};
// Those of addresses' flags, which change nothing here.
constexpr std::string_view flag_words[] = {
    "dynamic",    "permanent",  "secondary",     "temporary", "primary",
    "deprecated", "tentative",  "dadfailed",     "home",      "nodad",
    "mngtmpaddr", "optimistic", "noprefixroute", "autojoin",  "stable-privacy",
};

// A name that no device can have, not even as another name. iproute2 finds that at the end, after
// the lookups of other words.
Parsed<Request> no_such_device(const std::string& name) {
    return refused(fmt::format("Device \"{}\" does not exist.\n", name), 1);
}

}  // namespace

Parsed<bool> parse_link_selection(const ParseContext& context, Arguments& arguments,
                                  LinkSelection& selection) {
    const auto* keyword = std::ranges::find(keywords, arguments.peek(), &Keyword::word);
    if (keyword == std::end(keywords)) return false;
    arguments.take();
    if (const auto read = keyword->read(context, arguments, selection); !read) {
        return std::unexpected(read.error());
    }
    return true;
}

Parsed<Request> parse_link_show(ParseContext& context, Arguments arguments) {
    LinkShow request;
    if (context.options.statistics > 0 && (context.options.human || context.options.iec)) {
        return declined("link show: human readable statistics");
    }
    while (!arguments.empty()) {
        const auto taken = parse_link_selection(context, arguments, request.selection);
        if (!taken) return std::unexpected(taken.error());
        if (*taken) continue;
        const bool named = arguments.take_if("dev");
        const auto next = named ? arguments.value("dev") : arguments.take();
        if (!next) return std::unexpected(next.error());
        const std::string_view word = *next;
        if (!named && std::ranges::find(flag_words, word) != std::end(flag_words)) continue;
        const bool keyword = std::ranges::find(address_words, word) != std::end(address_words);
        if (!named && (keyword || word.starts_with('-') || matches(word, "help"))) {
            return declined("link show: not native word");
        }
        if (!request.selection.device.empty()) return garbage(arguments.traits(), "dev", word);
        const bool impossible = word.empty() || word.contains('/');
        if (impossible && arguments.empty() && !has_master(request.selection)) {
            return no_such_device(std::string(word));
        }
        auto device = parse_device(word);
        if (!device) return std::unexpected(device.error());
        request.selection.device = std::move(*device);
    }
    return request;
}

}  // namespace nlsh
