// `ip nexthop`: what lists and deletes; add and replace are in nexthop_change.cpp.
#include "parser/ip/nexthop/nexthop.h"

#include <sys/socket.h>

#include "parser/ip/lookup_refusal.h"
#include "parser/ip/nexthop/object.h"
#include "parser/ip/route/values.h"

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

// Only numbers: 6.1 doesn't take names here.
Parsed<void> take_protocol(Draft& draft, Arguments& arguments) {
    const auto word = arguments.value("protocol");
    if (!word) return std::unexpected(word.error());
    auto protocol = parse_u8(*word);
    if (!protocol && parse_u32(*word)) return declined("nexthop: a large protocol");
    if (protocol && *protocol == 0) return declined("nexthop: protocol 0");
    return set_once(draft.filter.protocol, std::move(protocol));
}

constexpr Keyword<Draft> keywords[] = {
    {"dev", take_filter_device},
    {"groups", take_flag<&NexthopFilter::groups>},
    {"fdb", take_flag<&NexthopFilter::fdb>},
    {"master", take_master<false>},
    {"vrf", take_master<true>},
    {"id", take_id, true, "invalid id value"},
    {"protocol", take_protocol, false, "invalid protocol value"},
};

constexpr Keyword<Draft> bucket_keywords[] = {
    {"dev", take_filter_device},   {"master", take_master<false>},
    {"vrf", take_master<true>},    {"id", take_id},
    {"nhid", take_bucket_nexthop},
};

Parsed<void> take_word(Draft& draft, Arguments& arguments, std::span<const Keyword<Draft>> table) {
    const auto taken = take_keyword<Draft>(table, draft, arguments);
    if (!taken) return std::unexpected(taken.error());
    if (*taken) return {};
    return unknown_nexthop_word(arguments.peek(), table);
}

// `finish` makes the request of the filter.
template <typename Finish>
Parsed<ObjectResult> read(ParseContext& context, Arguments arguments,
                          std::span<const Keyword<Draft>> table, Finish finish) {
    Draft draft{.filter = {}, .names = context.names};
    draft.filter.family = context.options.family;
    // An id is asked for at once, but for buckets: what follows isn't looked at.
    const bool by_id = table.data() == keywords;
    while (!arguments.empty() && !(by_id && draft.filter.id)) {
        if (auto taken = take_word(draft, arguments, table); !taken) {
            const NexthopFilter& filter = draft.filter;
            if (!filter.master.empty()) return std::unexpected(unexplained(taken.error()));
            return refused_after(filter.device, taken.error(), missing_nexthop_device);
        }
    }
    const NexthopFilter& filter = draft.filter;
    // Lookups are made in the order of the words; with both the first error isn't clear.
    if (!filter.device.empty() && !filter.master.empty()) return declined("nexthop: two devices");
    // A filter stays for the lines of a batch that follow.
    if (context.options.batch) return declined("nexthop: a list in a batch");
    return finish(std::move(draft.filter));
}

// Of an id that is asked for at once what precedes is forgotten.
bool is_id_with_more(NexthopFilter filter) {
    if (!filter.id) return false;
    filter.id.reset();
    return !filter.empty();
}

Parsed<ObjectResult> parse_show(ParseContext& context, Arguments arguments) {
    return read(context, arguments, keywords, [](NexthopFilter filter) -> Parsed<ObjectResult> {
        if (is_id_with_more(filter)) return declined("nexthop: an id and a filter");
        return ObjectResult{NexthopShow{std::move(filter)}, "show", true};
    });
}

Parsed<ObjectResult> parse_flush(ParseContext& context, Arguments arguments) {
    return read(context, arguments, keywords, [](NexthopFilter filter) -> Parsed<ObjectResult> {
        if (is_id_with_more(filter)) return declined("nexthop: an id and a filter");
        return ObjectResult{NexthopFlush{std::move(filter)}, "flush", false};
    });
}

Parsed<uint32_t> parse_only_id(Arguments arguments) {
    if (!arguments.take_if("id")) return declined("nexthop: no id");
    std::optional<uint32_t> id;
    if (auto taken = take_nexthop_number(id, arguments); !taken) {
        return std::unexpected(taken.error());
    }
    if (!arguments.empty()) return declined("nexthop: more than an id");
    return *id;
}

Parsed<ObjectResult> parse_get(ParseContext&, Arguments arguments) {
    const auto id = parse_only_id(arguments);
    if (!id) return std::unexpected(id.error());
    if (*id == 0) return declined("nexthop: no id");
    NexthopShow show;
    show.filter.id = *id;
    return ObjectResult{std::move(show), "get", true};
}

Parsed<ObjectResult> parse_delete(ParseContext&, Arguments arguments) {
    const auto id = parse_only_id(arguments);
    if (!id) return std::unexpected(id.error());
    return ObjectResult{NexthopDelete{*id}, "del", false};
}

Parsed<ObjectResult> parse_bucket_show(ParseContext& context, Arguments arguments) {
    return read(context, arguments, bucket_keywords, [](NexthopFilter filter) {
        if (filter.id == 0U) filter.id.reset();
        return Parsed<ObjectResult>(
            ObjectResult{NexthopBucketShow{std::move(filter)}, "bucket show", true});
    });
}

Parsed<ObjectResult> parse_bucket_get(ParseContext&, Arguments arguments) {
    if (!arguments.take_if("id")) return declined("nexthop bucket: no id");
    std::optional<uint32_t> id;
    if (auto taken = take_nexthop_number(id, arguments); !taken) {
        return std::unexpected(taken.error());
    }
    if (!arguments.take_if("index")) return declined("nexthop bucket: no index");
    const auto word = arguments.value("index");
    if (!word) return std::unexpected(word.error());
    const auto index = parse_u16(*word);
    if (!index) return std::unexpected(index.error());
    if (*id == 0 || !arguments.empty()) return declined("nexthop bucket: words");
    return ObjectResult{NexthopBucketGet{*id, *index}, "bucket get", true};
}

// In full: which abbreviations are taken hasn't been tried.
constexpr Verb bucket_verbs[] = {
    {"list", parse_bucket_show, true},
    {"show", parse_bucket_show, true},
    {"get", parse_bucket_get, true},
};

Parsed<ObjectResult> parse_bucket(ParseContext& context, Arguments arguments) {
    return parse_verb(context, arguments, bucket_verbs, parse_bucket_show);
}

// In iproute2's order.
constexpr Verb verbs[] = {
    {"add", parse_nexthop_add}, {"replace", parse_nexthop_replace},
    {"delete", parse_delete},   {"list", parse_show},
    {"show", parse_show},       {"lst", parse_show},
    {"get", parse_get},         {"flush", parse_flush},
    {"bucket", parse_bucket},
};

}  // namespace

Parsed<void> take_nexthop_number(std::optional<uint32_t>& number, Arguments& arguments) {
    const auto word = arguments.value("number");
    if (!word) return std::unexpected(word.error());
    return set_once(number, parse_u32(*word));
}

Parsed<ObjectResult> parse_nexthop(ParseContext& context, Arguments arguments) {
    const uint8_t family = context.options.family;
    if (family != AF_UNSPEC && family != AF_INET && family != AF_INET6) {
        return declined("nexthop: a family of its own");
    }
    return parse_verb(context, arguments, verbs, parse_show);
}

}  // namespace nlsh
