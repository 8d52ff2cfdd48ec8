// `ip nexthop`: lists and deletes. change.cpp has add and replace.
#include "backend/objects/nexthop/words/nexthop.h"

#include <sys/socket.h>

#include "backend/objects/nexthop/words/object.h"
#include "backend/objects/route/words/values.h"
#include "parser/ip/command.h"
#include "parser/try.h"

namespace nlsh {

namespace {

struct Draft {
    NexthopFilter filter;
    const NameTables& names;
};

Parsed<void> take_id(Draft& draft, Arguments& arguments) {
    return take_nexthop_number(draft.filter.id, arguments);
}

Parsed<void> take_bucket_nexthop(Draft& draft, Arguments& arguments) {
    const auto taken = take_nexthop_number(draft.filter.bucket_nexthop, arguments);
    if (taken && draft.filter.bucket_nexthop == 0U) draft.filter.bucket_nexthop.reset();
    return taken;
}

Parsed<void> take_filter_device(Draft& draft, Arguments& arguments) {
    if (!draft.filter.device.empty()) return declined("dev twice");
    return take_device(draft.filter.device, arguments);
}

template <bool Vrf>
Parsed<void> take_master(Draft& draft, Arguments& arguments) {
    if (!draft.filter.master.empty()) return declined("two masters");
    draft.filter.master_is_vrf = Vrf;
    return take_device(draft.filter.master, arguments);
}

template <auto Flag>
Parsed<void> take_flag(Draft& draft, Arguments&) {
    draft.filter.*Flag = true;
    return {};
}

// Takes numbers only, no names.
Parsed<void> take_protocol(Draft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("protocol"));
    auto protocol = parse_u8(word);
    if (!protocol && parse_u32(word)) return declined("nexthop: a large protocol");
    if (protocol && *protocol == 0) return declined("nexthop: protocol 0");
    return set_once(draft.filter.protocol, std::move(protocol));
}

constexpr Keyword<Draft> keywords[] = {
    {.word = "dev", .take = take_filter_device},
    {.word = "groups", .take = take_flag<&NexthopFilter::groups>},
    {.word = "fdb", .take = take_flag<&NexthopFilter::fdb>},
    {.word = "master", .take = take_master<false>},
    {.word = "vrf", .take = take_master<true>},
    {.word = "id", .take = take_id, .complaint = "invalid id value"},
    {.word = "protocol",
     .take = take_protocol,
     .exact = false,
     .complaint = "invalid protocol value"},
};

constexpr Keyword<Draft> bucket_keywords[] = {
    {.word = "dev", .take = take_filter_device},   {.word = "master", .take = take_master<false>},
    {.word = "vrf", .take = take_master<true>},    {.word = "id", .take = take_id},
    {.word = "nhid", .take = take_bucket_nexthop},
};

Parsed<void> take_word(Draft& draft, Arguments& arguments, std::span<const Keyword<Draft>> table) {
    const auto taken = TRY(take_keyword<Draft>(table, draft, arguments));
    if (taken) return {};
    return unknown_nexthop_word(arguments.peek(), table);
}

// `finish` turns the filter into a request.
template <typename Finish>
Parsed<Request> read(ParseContext& context, Arguments arguments,
                     std::span<const Keyword<Draft>> table, Finish finish) {
    Draft draft{.filter = {}, .names = context.names};
    draft.filter.family = context.options.family;
    // iproute2 asks for an id at once, except for buckets, and ignores all later words.
    const bool by_id = table.data() == keywords;
    while (!arguments.empty() && !(by_id && draft.filter.id)) {
        if (auto taken = take_word(draft, arguments, table); !taken) {
            const NexthopFilter& filter = draft.filter;
            if (!filter.master.empty()) return std::unexpected(unexplained(taken.error()));
            return refused_after(filter.device, taken.error(), missing_nexthop_device);
        }
    }
    const NexthopFilter& filter = draft.filter;
    // iproute2 looks up devices in the order of the words, so the first error isn't clear.
    if (!filter.device.empty() && !filter.master.empty()) return declined("nexthop: two devices");
    return finish(std::move(draft.filter));
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
    TRY(take_nexthop_number(id, arguments));
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
    TRY(take_nexthop_number(id, arguments));
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
    {.words = {"add"}, .parse = parse_nexthop_as<ChangeVerb::add>, .is = {.queued = true}},
    {.words = {"replace"}, .parse = parse_nexthop_as<ChangeVerb::replace>, .is = {.queued = true}},
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

Parsed<void> take_nexthop_number(std::optional<uint32_t>& number, Arguments& arguments) {
    const auto word = TRY(arguments.value("number"));
    return set_once(number, parse_u32(word));
}

}  // namespace nlsh
