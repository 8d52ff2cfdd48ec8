// `ip address show|flush`.
#include <linux/if_addr.h>
#include <sys/socket.h>

#include <algorithm>

#include "backend/objects/address/words/address.h"
#include "backend/objects/address/words/flags.h"
#include "backend/objects/link/words/show.h"
#include "parser/ip/command.h"
#include "parser/ip/keywords.h"
#include "parser/ip/refusal.h"
#include "parser/try.h"

namespace nlsh {
namespace {

struct Draft : AddressFilter {
    explicit Draft(const NameTables& tables) : names(tables) {}

    const NameTables& names;
};

Parsed<void> take_to(Draft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("to"));
    auto prefix = parse_prefix(word, draft.family);
    if (prefix && prefix->size == 0) return declined("address show: to no address");
    if (prefix) draft.family = prefix->family;
    return set_once(draft.to, std::move(prefix));
}

Parsed<void> take_scope(Draft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("scope"));
    if (word == "all") return {};
    const auto scope = draft.names.value(NameKind::scope, word);
    if (!scope || *scope > UINT8_MAX) return unreadable(word, "address show: scope");
    return set_once(draft.scope, Parsed<uint8_t>(static_cast<uint8_t>(*scope)));
}

Parsed<void> take_device(Draft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("dev"));
    auto device = TRY(parse_device(word));
    if (!draft.links.device.empty()) return garbage(arguments.traits(), "dev", word);
    draft.links.device = std::move(device);
    return {};
}

constexpr Keyword<Draft> keywords[] = {
    {.word = "to", .take = take_to},
    {.word = "proto",
     .take = once<&AddressFilter::protocol, parse_u8>,
     .complaint = "\"proto\" value is invalid\n",
     .since = Trait::address_protocol},
    {.word = "scope", .take = take_scope, .complaint = "invalid \"scope\"\n"},
    {.word = "label", .take = once<&AddressFilter::label, keep_text>},
    {.word = "dev", .take = take_device},
};

// `dynamic`, `-dynamic` …
bool take_flag(AddressFilter& filter, Arguments& arguments) {
    std::string_view word = arguments.peek();
    const bool inverse = word.starts_with('-');
    if (inverse) word.remove_prefix(1);
    for (const AddressFlag& flag : address_flags) {
        if (word != flag.word) continue;
        arguments.take();
        filter.flag_mask |= flag.bit;
        filter.flags &= ~flag.bit;
        if (flag.set != inverse) filter.flags |= flag.bit;
        return true;
    }
    return false;
}

Parsed<void> take_word(const ParseContext& context, Draft& draft, Arguments& arguments) {
    const auto keyword = TRY(take_keyword<Draft>(keywords, draft, arguments));
    if (keyword || take_flag(draft, arguments)) return {};
    const auto selection = TRY(parse_link_selection(context, arguments, draft.links));
    if (selection) return {};
    const std::string_view word = arguments.peek();
    if (word.starts_with('-') || matches(word, "help")) return declined("address show: word");
    return take_device(draft, arguments);
}

// iproute2 ignores some filters of links, depending on -4, -6, -o and label.
bool has_fragile_selection(const Options& options, const AddressFilter& filter) {
    const LinkSelection& links = filter.links;
    const bool by_user = links.group || !links.slave_kind.empty();
    const bool by_kernel = !links.master.empty() || !links.vrf.empty() || !links.kind.empty();
    if (links.nomaster) return options.family != AF_UNSPEC || options.oneline || filter.label;
    if (by_user || by_kernel) {
        return options.family == AF_INET6 || filter.label || (by_user && options.oneline);
    }
    return false;
}

Parsed<AddressFilter> read(const ParseContext& context, Arguments arguments) {
    const Options& options = context.options;
    const uint8_t family = options.family;
    if (family != AF_UNSPEC && family != AF_INET && family != AF_INET6) {
        return declined("address show: family");
    }
    Draft draft(context.names);
    draft.family = family;
    while (!arguments.empty()) {
        TRY(take_word(context, draft, arguments));
    }
    return AddressFilter(std::move(draft));
}

// -0 shows links without addresses. Only these words have been compared.
Parsed<Request> parse_links_only(const Options& options, Arguments arguments) {
    AddressFilter filter;
    filter.family = AF_PACKET;
    const bool named = arguments.take_if("dev");
    if (named && arguments.empty()) return declined("address show: family");
    if (!arguments.empty()) {
        const std::string_view word = arguments.take();
        if (matches(word, "help")) return declined("address show: word");
        // Decline these words: iproute2 may read them as keywords.
        constexpr std::string_view words[] = {"up",   "to",   "scope", "label",    "master",
                                              "vrf",  "type", "group", "nomaster", "dev",
                                              "down", "novf", "proto"};
        const bool keyword =
            std::ranges::find(words, word) != std::end(words) ||
            std::ranges::find(address_flags, word, &AddressFlag::word) != std::end(address_flags);
        auto device = parse_device(word);
        if (keyword || !device || word.starts_with('-')) return declined("address show: family");
        filter.links.device = std::move(*device);
    }
    if (!arguments.empty() || options.brief || options.statistics > 0) {
        return declined("address show: family");
    }
    return AddressShow{std::move(filter)};
}

}  // namespace

Parsed<Request> parse_address_show(ParseContext& context, Arguments arguments) {
    const Options& options = context.options;
    if (options.family == AF_PACKET) return parse_links_only(options, arguments);
    auto filter = TRY(read(context, arguments));
    if (options.statistics > 0 && (options.human || options.iec)) {
        return declined("address show: human readable statistics");
    }
    if (has_fragile_selection(options, filter)) return declined("address show: selection");
    return AddressShow{std::move(filter)};
}

Parsed<Request> parse_address_flush(ParseContext& context, Arguments arguments) {
    auto filter = TRY(read(context, arguments));
    if (arguments.empty()) return refused("Flush requires arguments.\n", 1);
    const LinkSelection& links = filter.links;
    // iproute2 flushes only once with `primary`.
    const bool primaries = (filter.flag_mask & ~filter.flags & IFA_F_SECONDARY) != 0;
    const bool any_link = links.master.empty() && links.vrf.empty() && !links.nomaster &&
                          !links.up && !links.down && !links.group && links.kind.empty() &&
                          links.slave_kind.empty();
    if (!any_link || context.options.statistics > 1) {
        return declined("address flush: a selection of links");
    }
    return AddressFlush{std::move(filter), primaries};
}

}  // namespace nlsh
