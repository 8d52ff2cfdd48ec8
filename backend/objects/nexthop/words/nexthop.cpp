#include "backend/objects/nexthop/words/nexthop.h"

#include <fmt/format.h>
#include <linux/nexthop.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "backend/objects/nexthop/words/rows.h"
#include "backend/objects/route/words/values.h"
#include "parser/ip/arguments.h"
#include "parser/ip/command.h"
#include "parser/ip/keywords.h"
#include "parser/ip/refusal.h"
#include "parser/try.h"

namespace nlsh {
namespace {

// The text for a missing device.
constexpr const char* missing_nexthop_device =
    "Error: argument \"{}\" is wrong: Device does not exist\n\n";

// Refuses a word that isn't in the table. Abbreviations and "help" fall back.
template <typename Draft>
std::unexpected<Decline> unknown_nexthop_word(std::string_view word,
                                              std::span<const Keyword<Draft>> table) {
    const bool abbreviation = std::ranges::any_of(
        table, [&](const auto& keyword) { return matches(word, keyword.word); });
    if (abbreviation || matches(word, "help")) return declined("nexthop: word");
    return refused(fmt::format("Error: argument \"{}\" is wrong: \n", word));
}

struct Draft : NexthopChange {
    explicit Draft(const NameTables& tables) : names(tables) {}

    const NameTables& names;
};

// iproute2's message holds somewhat more members.
constexpr size_t max_members = 64;
constexpr uint32_t max_weight = 256;
constexpr uint32_t wide_weight = 65536;

Parsed<void> take_via(Draft& draft, Arguments& arguments) {
    const auto family = take_family(arguments, draft.family);
    if (!family) return std::unexpected(family.error());
    const auto word = TRY(arguments.value("via"));
    auto via = parse_plain_address(word, *family);
    if (via) draft.family = via->family;
    return set_once(draft.via, std::move(via));
}

// `dev` and `blackhole` imply IPv4, unless an earlier word gave a family.
void imply_ipv4(Draft& draft) {
    if (draft.family == AF_UNSPEC) draft.family = AF_INET;
}

Parsed<void> take_nexthop_device(Draft& draft, Arguments& arguments) {
    if (!draft.device.empty()) return declined("dev twice");
    imply_ipv4(draft);
    return take_device(draft.device, arguments);
}

Parsed<void> take_encap(Draft& draft, Arguments& arguments) {
    if (draft.encap.type != 0) return declined("encap twice");
    auto encap = TRY(parse_encap(draft.names, arguments));
    // The error would name the first missing device: the encapsulation's or the nexthop's.
    if (encap.names_device()) return declined("nexthop: a device of encap");
    draft.encap = std::move(encap);
    return {};
}

Parsed<void> take_blackhole(Draft& draft, Arguments&) {
    imply_ipv4(draft);
    draft.blackhole = true;
    return {};
}

// iproute2 can't read the part either, or the part is empty.
bool is_bad(const Decline& decline, std::string_view part) {
    return decline.bad_value || part.empty();
}

// A part of the word `all`. By then iproute2 has cut `all` after its first id.
Parsed<NexthopMember> parse_member(std::string_view text, std::string_view all, Traits traits) {
    const size_t comma = text.find(',');
    const std::string_view number = text.substr(0, comma);
    const auto id = parse_u32(number);
    if (!id && is_bad(id.error(), number)) {
        return refused(
            fmt::format("Error: argument \"{}\" is wrong: \"group\" value is invalid\n\n",
                        all.substr(0, all.find_first_of("/,"))));
    }
    if (!id) return std::unexpected(id.error());
    NexthopMember member;
    member.id = *id;
    if (comma != text.npos) {
        const std::string_view part = text.substr(comma + 1);
        const bool wide = traits.has(Trait::wide_nexthop_weights);
        const auto weight = parse_u32(part, wide ? wide_weight : max_weight);
        if (!weight && !wide && !traits.lacks(Trait::wide_nexthop_weights) && parse_u32(part))
            return declined("nexthop: a large weight");
        if (weight ? *weight == 0 : is_bad(weight.error(), part)) {
            return refused(
                fmt::format("Error: argument \"{}\" is wrong: \"weight\" is invalid\n\n", part));
        }
        if (!weight) return std::unexpected(weight.error());
        member.weight_minus_1 = static_cast<uint16_t>(*weight - 1);
    }
    return member;
}

// ID[,WEIGHT]/…
Parsed<void> take_group(Draft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("group"));
    auto& group = draft.group;
    if (!group.empty()) return declined("group twice");
    for (std::string_view rest = word;;) {
        const size_t slash = rest.find('/');
        const auto member = TRY(parse_member(rest.substr(0, slash), word, arguments.traits()));
        group.push_back(member);
        if (slash == rest.npos) break;
        rest.remove_prefix(slash + 1);
    }
    if (group.size() > max_members) return declined("nexthop: a large group");
    return {};
}

Parsed<void> take_type(Draft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("type"));
    if (draft.group_type) return declined("type twice");
    if (word == "mpath") {
        draft.group_type = NEXTHOP_GRP_TYPE_MPATH;
        return {};
    }
    if (word != "resilient") return bad_value("type of a nexthop group");
    draft.group_type = NEXTHOP_GRP_TYPE_RES;
    while (!arguments.empty()) {
        if (!TRY(take_field(resilient_fields, draft.resilient, arguments))) break;
    }
    return {};
}

Parsed<void> take_hw_stats(Draft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("hw_stats"));
    return set_once(draft.hw_stats, parse_switch("hw_stats", word, arguments.traits(), EINVAL));
}

constexpr Keyword<Draft> change_keywords[] = {
    {.word = "id", .take = once<&NexthopChange::id, parse_number>, .complaint = "invalid id value"},
    {.word = "dev", .take = take_nexthop_device},
    {.word = "via", .take = take_via},
    {.word = "blackhole", .take = take_blackhole},
    {.word = "onlink", .take = add_bits<&NexthopChange::flags, RTNH_F_ONLINK>},
    {.word = "encap", .take = take_encap},
    {.word = "hw_stats", .take = take_hw_stats, .since = Trait::nexthop_statistics},
    {.word = "group", .take = take_group, .complaint = "\"group\" value is invalid\n"},
    {.word = "type",
     .take = take_type,
     .complaint = "\"type\" value is invalid\n",
     .since = Trait::nexthop_buckets},
    {.word = "protocol",
     .take = last_named<&NexthopChange::protocol, NameKind::protocol>,
     .exact = false,
     .complaint = "\"protocol\" value is invalid\n"},
};

// Abbreviated words of fields fall back, as abbreviated change_keywords do.
Decline unknown_word(std::string_view word) {
    const bool field = std::ranges::any_of(
        nexthop_fields, [&](const FieldRow& row) { return matches(word, row.word); });
    return field ? declined("nexthop: word").error()
                 : unknown_nexthop_word<Draft>(word, change_keywords).error();
}

template <ChangeVerb Which>
Parsed<Request> parse_change(ParseContext& context, Arguments arguments) {
    Draft draft(context.names);
    draft.verb = Which;
    draft.family = context.options.family;
    while (!arguments.empty()) {
        auto taken = take_keyword<Draft>(change_keywords, draft, arguments);
        // These words may be repeated.
        if (taken && !*taken) taken = take_field(nexthop_fields, draft.fields, arguments, true);
        if (!taken) {
            // iproute2 looks up the device at once, so a missing device is the first error.
            return refused_after(draft.device, taken.error(), missing_nexthop_device);
        }
        if (*taken) continue;
        return refused_after(draft.device, unknown_word(arguments.peek()), missing_nexthop_device);
    }
    NexthopChange& change = draft;
    const bool path = change.via || !change.device.empty() || change.blackhole;
    // If path and group are both missing, the kernel reports the error.
    if (path && !change.group.empty()) return declined("nexthop: a path and a group");
    if (path && change.family == AF_UNSPEC) change.family = AF_INET;
    return std::move(change);
}

Parsed<void> take_bucket_nexthop(NexthopFilter& filter, Arguments& arguments) {
    TRY(take_once(arguments, "a keyword", filter.bucket_nexthop, parse_number));
    if (filter.bucket_nexthop == 0U) filter.bucket_nexthop.reset();
    return {};
}

Parsed<void> take_filter_device(NexthopFilter& filter, Arguments& arguments) {
    if (!filter.device.empty()) return declined("dev twice");
    return take_device(filter.device, arguments);
}

template <bool Vrf>
Parsed<void> take_master(NexthopFilter& filter, Arguments& arguments) {
    if (!filter.master.empty()) return declined("two masters");
    filter.master_is_vrf = Vrf;
    return take_device(filter.master, arguments);
}

// Takes numbers only, no names.
Parsed<void> take_protocol(NexthopFilter& filter, Arguments& arguments) {
    const auto word = TRY(arguments.value("protocol"));
    auto protocol = parse_u8(word);
    if (!protocol && parse_u32(word)) return declined("nexthop: a large protocol");
    if (protocol && *protocol == 0) return declined("nexthop: protocol 0");
    return set_once(filter.protocol, std::move(protocol));
}

constexpr Keyword<NexthopFilter> keywords[] = {
    {.word = "dev", .take = take_filter_device},
    {.word = "groups", .take = set<&NexthopFilter::groups, true>},
    {.word = "fdb", .take = set<&NexthopFilter::fdb, true>},
    {.word = "master", .take = take_master<false>},
    {.word = "vrf", .take = take_master<true>},
    {.word = "id", .take = once<&NexthopFilter::id, parse_number>, .complaint = "invalid id value"},
    {.word = "protocol",
     .take = take_protocol,
     .exact = false,
     .complaint = "invalid protocol value"},
};

constexpr Keyword<NexthopFilter> bucket_keywords[] = {
    {.word = "dev", .take = take_filter_device},
    {.word = "master", .take = take_master<false>},
    {.word = "vrf", .take = take_master<true>},
    {.word = "id", .take = once<&NexthopFilter::id, parse_number>},
    {.word = "nhid", .take = take_bucket_nexthop},
};

Parsed<void> take_word(NexthopFilter& filter, Arguments& arguments,
                       std::span<const Keyword<NexthopFilter>> table) {
    const auto taken = TRY(take_keyword<NexthopFilter>(table, filter, arguments));
    if (taken) return {};
    return unknown_nexthop_word(arguments.peek(), table);
}

// `finish` turns the filter into a request.
template <typename Finish>
Parsed<Request> read(ParseContext& context, Arguments arguments,
                     std::span<const Keyword<NexthopFilter>> table, Finish finish) {
    NexthopFilter filter;
    filter.family = context.options.family;
    // iproute2 asks for an id at once, except for buckets, and ignores all later words.
    const bool by_id = table.data() == keywords;
    while (!arguments.empty() && !(by_id && filter.id)) {
        if (auto taken = take_word(filter, arguments, table); !taken) {
            if (!filter.master.empty()) return std::unexpected(unexplained(taken.error()));
            return refused_after(filter.device, taken.error(), missing_nexthop_device);
        }
    }
    // iproute2 looks up devices in the order of the words, so the first error isn't clear.
    if (!filter.device.empty() && !filter.master.empty()) return declined("nexthop: two devices");
    return finish(std::move(filter));
}

// iproute2 asks for an id at once, and ignores earlier words.
bool is_id_with_more(NexthopFilter filter) {
    if (!filter.id) return false;
    filter.id.reset();
    return !filter.empty();
}

Parsed<Request> parse_show(ParseContext& context, Arguments arguments) {
    return read(context, arguments, keywords, [](NexthopFilter filter) -> Parsed<Request> {
        if (is_id_with_more(filter)) return declined("nexthop: an id and a filter");
        return NexthopShow{std::move(filter)};
    });
}

Parsed<Request> parse_flush(ParseContext& context, Arguments arguments) {
    const bool by_id = context.options.traits.has(Trait::nexthop_buckets);
    return read(context, arguments, keywords, [by_id](NexthopFilter filter) -> Parsed<Request> {
        if (filter.id && !by_id) return declined("nexthop flush: an id");  // iproute2 shows it
        if (is_id_with_more(filter)) return declined("nexthop: an id and a filter");
        return NexthopFlush{std::move(filter)};
    });
}

Parsed<uint32_t> parse_only_id(Arguments arguments) {
    if (!arguments.take_if("id")) return declined("nexthop: no id");
    std::optional<uint32_t> id;
    TRY(take_once(arguments, "a number", id, parse_number));
    if (!arguments.empty()) return declined("nexthop: more than an id");
    return *id;
}

Parsed<Request> parse_get(ParseContext&, Arguments arguments) {
    const auto id = TRY(parse_only_id(arguments));
    if (id == 0) return declined("nexthop: no id");
    NexthopShow show;
    show.filter.id = id;
    return show;
}

Parsed<Request> parse_delete(ParseContext&, Arguments arguments) {
    const auto id = TRY(parse_only_id(arguments));
    return NexthopDelete{id};
}

Parsed<Request> parse_bucket_show(ParseContext& context, Arguments arguments) {
    return read(context, arguments, bucket_keywords, [](NexthopFilter filter) {
        if (filter.id == 0U) filter.id.reset();
        return Parsed<Request>(NexthopBucketShow{std::move(filter)});
    });
}

Parsed<Request> parse_bucket_get(ParseContext&, Arguments arguments) {
    if (!arguments.take_if("id")) return declined("nexthop bucket: no id");
    std::optional<uint32_t> id;
    TRY(take_once(arguments, "a number", id, parse_number));
    if (!arguments.take_if("index")) return declined("nexthop bucket: no index");
    const auto word = TRY(arguments.value("index"));
    const auto index = TRY(parse_u16(word));
    if (*id == 0 || !arguments.empty()) return declined("nexthop bucket: words");
    return NexthopBucketGet{*id, index};
}

constexpr Verb bucket_verbs[] = {
    {.words = {"show", "list", "lst"}, .parse = parse_bucket_show, .is = shows_filtered},
    {.words = {"get"}, .parse = parse_bucket_get, .is = shows_filtered},
};

constexpr Verb verbs[] = {
    {.words = {"add"}, .parse = parse_change<ChangeVerb::add>, .is = {.queued = true}},
    {.words = {"replace"}, .parse = parse_change<ChangeVerb::replace>, .is = {.queued = true}},
    {.words = {"delete"}, .parse = parse_delete, .name = "del", .is = {.queued = true}},
    {.words = {"show", "list", "lst"}, .parse = parse_show, .is = shows_filtered},
    {.words = {"get"}, .parse = parse_get, .is = shows_filtered},
    {.words = {"flush"}, .parse = parse_flush, .is = flushes},
    {.words = {"bucket"}, .verbs = {bucket_verbs}, .since = Trait::nexthop_buckets},
};

Parsed<Request> parse_nexthop(ParseContext& context, Arguments arguments) {
    const uint8_t family = context.options.family;
    if (family != AF_UNSPEC && family != AF_INET && family != AF_INET6) {
        return declined("nexthop: a family of its own");
    }
    return parse_verb({verbs}, context, arguments);
}

}  // namespace

const Object nexthop_object{.words = {"nexthop"}, .name = "nexthop", .parse = parse_nexthop};

}  // namespace nlsh
