// `ip nexthop add|replace`.
#include <fmt/format.h>
#include <linux/nexthop.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "backend/objects/nexthop/words/object.h"
#include "backend/objects/nexthop/words/rows.h"
#include "backend/objects/route/words/values.h"
#include "parser/ip/arguments.h"
#include "parser/ip/command.h"
#include "parser/ip/refusal.h"
#include "parser/try.h"

namespace nlsh {

namespace {

struct Draft {
    NexthopChange change;
    const NameTables& names;
};

// iproute2's message holds somewhat more members.
constexpr size_t max_members = 64;
constexpr uint32_t max_weight = 256;
constexpr uint32_t wide_weight = 65536;

Parsed<void> take_id(Draft& draft, Arguments& arguments) {
    return take_nexthop_number(draft.change.id, arguments);
}

Parsed<void> take_via(Draft& draft, Arguments& arguments) {
    const auto family = take_family(arguments, draft.change.family);
    if (!family) return std::unexpected(family.error());
    const auto word = TRY(arguments.value("via"));
    auto via = parse_plain_address(word, *family);
    if (via) draft.change.family = via->family;
    return set_once(draft.change.via, std::move(via));
}

// `dev` and `blackhole` imply IPv4, unless an earlier word gave a family.
void imply_ipv4(Draft& draft) {
    if (draft.change.family == AF_UNSPEC) draft.change.family = AF_INET;
}

Parsed<void> take_nexthop_device(Draft& draft, Arguments& arguments) {
    if (!draft.change.device.empty()) return declined("dev twice");
    imply_ipv4(draft);
    return take_device(draft.change.device, arguments);
}

Parsed<void> take_encap(Draft& draft, Arguments& arguments) {
    if (draft.change.encap.type != 0) return declined("encap twice");
    auto encap = TRY(parse_encap(draft.names, arguments));
    // The error would name the first missing device: the encapsulation's or the nexthop's.
    if (encap.names_device()) return declined("nexthop: a device of encap");
    draft.change.encap = std::move(encap);
    return {};
}

Parsed<void> take_blackhole(Draft& draft, Arguments&) {
    imply_ipv4(draft);
    draft.change.blackhole = true;
    return {};
}

Parsed<void> take_onlink(Draft& draft, Arguments&) {
    draft.change.flags |= RTNH_F_ONLINK;
    return {};
}

Parsed<void> take_protocol(Draft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("protocol"));
    const auto protocol = TRY(parse_named_u8(draft.names, NameKind::protocol, word));
    draft.change.protocol = protocol;
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
    auto& group = draft.change.group;
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
    if (draft.change.group_type) return declined("type twice");
    if (word == "mpath") {
        draft.change.group_type = NEXTHOP_GRP_TYPE_MPATH;
        return {};
    }
    if (word != "resilient") return bad_value("type of a nexthop group");
    draft.change.group_type = NEXTHOP_GRP_TYPE_RES;
    while (!arguments.empty()) {
        if (!TRY(take_field(resilient_fields, draft.change.resilient, arguments))) break;
    }
    return {};
}

Parsed<void> take_hw_stats(Draft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("hw_stats"));
    return set_once(draft.change.hw_stats,
                    parse_switch("hw_stats", word, arguments.traits(), EINVAL));
}

constexpr Keyword<Draft> keywords[] = {
    {.word = "id", .take = take_id, .complaint = "invalid id value"},
    {.word = "dev", .take = take_nexthop_device},
    {.word = "via", .take = take_via},
    {.word = "blackhole", .take = take_blackhole},
    {.word = "onlink", .take = take_onlink},
    {.word = "encap", .take = take_encap},
    {.word = "hw_stats", .take = take_hw_stats, .since = Trait::nexthop_statistics},
    {.word = "group", .take = take_group, .complaint = "\"group\" value is invalid\n"},
    {.word = "type",
     .take = take_type,
     .complaint = "\"type\" value is invalid\n",
     .since = Trait::nexthop_buckets},
    {.word = "protocol",
     .take = take_protocol,
     .exact = false,
     .complaint = "\"protocol\" value is invalid\n"},
};

// Abbreviated words of fields fall back, as abbreviated keywords do.
Decline unknown_word(std::string_view word) {
    const bool field = std::ranges::any_of(
        nexthop_fields, [&](const FieldRow& row) { return matches(word, row.word); });
    return field ? declined("nexthop: word").error()
                 : unknown_nexthop_word<Draft>(word, keywords).error();
}

}  // namespace

template <ChangeVerb Which>
Parsed<Request> parse_nexthop_as(ParseContext& context, Arguments arguments) {
    Draft draft{.change = {}, .names = context.names};
    draft.change.verb = Which;
    draft.change.family = context.options.family;
    while (!arguments.empty()) {
        auto taken = take_keyword<Draft>(keywords, draft, arguments);
        // These words may be repeated.
        if (taken && !*taken)
            taken = take_field(nexthop_fields, draft.change.fields, arguments, true);
        if (!taken) {
            // iproute2 looks up the device at once, so a missing device is the first error.
            return refused_after(draft.change.device, taken.error(), missing_nexthop_device);
        }
        if (*taken) continue;
        return refused_after(draft.change.device, unknown_word(arguments.peek()),
                             missing_nexthop_device);
    }
    NexthopChange& change = draft.change;
    const bool path = change.via || !change.device.empty() || change.blackhole;
    // If path and group are both missing, the kernel reports the error.
    if (path && !change.group.empty()) return declined("nexthop: a path and a group");
    if (path && change.family == AF_UNSPEC) change.family = AF_INET;
    return change;
}

template Parsed<Request> parse_nexthop_as<ChangeVerb::add>(ParseContext&, Arguments);
template Parsed<Request> parse_nexthop_as<ChangeVerb::replace>(ParseContext&, Arguments);

}  // namespace nlsh
