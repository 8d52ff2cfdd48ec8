#include "backend/objects/route/words/encap.h"
#include "parser/ip/refusal.h"

#include <endian.h>
#include <fmt/format.h>
#include <linux/lwtunnel.h>
#include <linux/mpls.h>
#include <linux/mpls_iptunnel.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>

#include "backend/objects/route/words/encap_words.h"
#include "backend/objects/route/words/values.h"
#include "parser/ip/bytes.h"
#include "parser/ip/joined.h"
#include "parser/try.h"

namespace nlsh {

namespace {

// Flags of an IP tunnel: TUNNEL_* in <linux/if_tunnel.h>.
constexpr uint16_t flag_checksum = 0x01;
constexpr uint16_t flag_key = 0x04;
constexpr uint16_t flag_sequence = 0x08;

// iproute2 has room for more, but nobody needs more.
constexpr size_t max_labels = 16;

Parsed<void> read_id(EncapDraft& draft, uint16_t type, Arguments& arguments) {
    const auto word = TRY(arguments.value("id"));
    const auto id = TRY(parse_u64(word));
    draft.put(type, bytes_of(htobe64(id)));
    return {};
}

template <uint8_t Family>
Parsed<void> read_end(EncapDraft& draft, uint16_t type, Arguments& arguments) {
    return read_encap_address(draft, type, Family, arguments);
}

Parsed<void> read_hops(EncapDraft& draft, uint16_t type, Arguments& arguments) {
    const auto word = TRY(arguments.value("ttl"));
    const auto hops = TRY(parse_u8(word));
    draft.put(type, bytes_of(hops));
    return {};
}

Parsed<void> read_traffic_class(EncapDraft& draft, uint16_t type, Arguments& arguments) {
    const auto word = TRY(arguments.value("tos"));
    const auto tos = TRY(parse_named_u8(draft.names, NameKind::dsfield, word));
    draft.put(type, bytes_of(tos));
    return {};
}

Parsed<void> read_flag(EncapDraft& draft, uint16_t flag, Arguments&) {
    draft.flags |= flag;
    return {};
}

Parsed<void> not_native(EncapDraft&, uint16_t, Arguments&) {
    return declined("options of an encapsulation");
}

constexpr auto flag_words = std::to_array<EncapWord>({
    {.word = "key", .type = flag_key, .read = read_flag, .alone = true},
    {.word = "csum", .type = flag_checksum, .read = read_flag, .alone = true},
    {.word = "seq", .type = flag_sequence, .read = read_flag, .alone = true},
    {.word = "geneve_opts", .type = 0, .read = not_native},
    {.word = "vxlan_opts", .type = 0, .read = not_native},
    {.word = "erspan_opts", .type = 0, .read = not_native},
});

constexpr auto own_ip_words = std::to_array<EncapWord>({
    {.word = "id",
     .type = LWTUNNEL_IP_ID,
     .read = read_id,
     .complaint = "\"id\" value is invalid\n"},
    {.word = "dst", .type = LWTUNNEL_IP_DST, .read = read_end<AF_INET>},
    {.word = "src", .type = LWTUNNEL_IP_SRC, .read = read_end<AF_INET>},
    {.word = "tos",
     .type = LWTUNNEL_IP_TOS,
     .read = read_traffic_class,
     .complaint = "\"tos\" value is invalid\n"},
    {.word = "ttl",
     .type = LWTUNNEL_IP_TTL,
     .read = read_hops,
     .complaint = "\"ttl\" value is invalid\n"},
});
constexpr auto ip_words = joined(own_ip_words, flag_words);

constexpr auto own_ip6_words = std::to_array<EncapWord>({
    {.word = "id",
     .type = LWTUNNEL_IP6_ID,
     .read = read_id,
     .complaint = "\"id\" value is invalid\n"},
    {.word = "dst", .type = LWTUNNEL_IP6_DST, .read = read_end<AF_INET6>},
    {.word = "src", .type = LWTUNNEL_IP6_SRC, .read = read_end<AF_INET6>},
    {.word = "tc",
     .type = LWTUNNEL_IP6_TC,
     .read = read_traffic_class,
     .complaint = "\"tc\" value is invalid\n"},
    {.word = "hoplimit",
     .type = LWTUNNEL_IP6_HOPLIMIT,
     .read = read_hops,
     .complaint = "\"hoplimit\" value is invalid\n"},
});
constexpr auto ip6_words = joined(own_ip6_words, flag_words);

template <const auto& Words, uint16_t Flags>
Parsed<void> read_tunnel(EncapDraft& draft, Arguments& arguments) {
    TRY(take_encap_words(draft, Words, arguments));
    if (draft.flags != 0) draft.put(Flags, bytes_of(htobe16(draft.flags)));
    return {};
}

// LABELS [ttl TTL]
Parsed<void> read_mpls(EncapDraft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("mpls"));
    const auto labels = parse_labels(word);
    if (!labels) return std::unexpected(with_expectation(labels.error(), "address", word, AF_MPLS));
    draft.put(MPLS_IPTUNNEL_DST, *labels);
    constexpr static EncapWord words[] = {
        {"ttl", MPLS_IPTUNNEL_TTL, read_hops, "\"ttl\" value is invalid\n"}};
    return take_encap_words(draft, words, arguments);
}

struct Type {
    std::string_view name;
    uint16_t number;  // LWTUNNEL_ENCAP_*
    Parsed<void> (*read)(EncapDraft&, Arguments&);
};

// All that iproute2 knows; those without a reader fall back.
constexpr Type types[] = {
    {"mpls", LWTUNNEL_ENCAP_MPLS, read_mpls},
    {"ip", LWTUNNEL_ENCAP_IP, read_tunnel<ip_words, LWTUNNEL_IP_FLAGS>},
    {"ip6", LWTUNNEL_ENCAP_IP6, read_tunnel<ip6_words, LWTUNNEL_IP6_FLAGS>},
    {"seg6", LWTUNNEL_ENCAP_SEG6, read_seg6},
    {"seg6local", LWTUNNEL_ENCAP_SEG6_LOCAL, read_seg6local},
    {"ila", 0, nullptr},
    {"bpf", 0, nullptr},
    {"rpl", 0, nullptr},
    {"ioam6", 0, nullptr},
    {"xfrm", 0, nullptr},
    {"help", 0, nullptr},
};

bool holds_device(const std::vector<LinkAttribute>& attributes) {
    return std::ranges::any_of(attributes, [](const LinkAttribute& attribute) {
        return std::holds_alternative<LinkDevice>(attribute.value);
    });
}

}  // namespace

bool RouteEncap::names_device() const {
    return holds_device(attributes);
}

Parsed<void> read_encap_address(EncapDraft& draft, uint16_t type, uint8_t family,
                                Arguments& arguments) {
    const auto word = TRY(arguments.value("address"));
    const auto address = TRY(parse_plain_address(word, family));
    const auto bytes = address.span();
    draft.put(type, std::string(bytes.begin(), bytes.end()));
    return {};
}

Parsed<void> take_encap_words(EncapDraft& draft, std::span<const EncapWord> words,
                              Arguments& arguments) {
    uint32_t taken = 0;  // a bit for each word
    while (!arguments.empty()) {
        const auto hit = std::ranges::find(words, arguments.peek(), &EncapWord::word);
        if (hit == words.end()) break;
        arguments.take();
        const uint32_t bit = 1U << (hit - words.begin());
        const std::string value(arguments.empty() ? "" : arguments.peek());
        if ((taken & bit) != 0) {
            // For a word without a value, the word itself is the garbage.
            if (hit->alone) return garbage(arguments.traits(), hit->word, hit->word);
            if (arguments.empty()) return declined("encap: a word twice");
            return garbage(arguments.traits(), hit->word, value);
        }
        taken |= bit;
        if (auto read = hit->read(draft, hit->type, arguments); !read) {
            return std::unexpected(with_complaint(std::move(read.error()), value, hit->complaint));
        }
    }
    return {};
}

Parsed<std::string> parse_labels(std::string_view word) {
    std::string stack;
    for (size_t count = 0; count < max_labels; ++count) {
        const size_t slash = word.find('/');
        if (word.substr(0, slash).empty()) return bad_value("an empty label");
        const auto label =
            parse_u32(word.substr(0, slash), MPLS_LS_LABEL_MASK >> MPLS_LS_LABEL_SHIFT);
        if (!label) return std::unexpected(label.error());
        const bool bottom = slash == word.npos;
        const uint32_t entry =
            *label << MPLS_LS_LABEL_SHIFT | (bottom ? uint32_t{MPLS_LS_S_MASK} : 0U);
        stack += bytes_of(htobe32(entry));
        if (bottom) return stack;
        word.remove_prefix(slash + 1);
    }
    return declined("many MPLS labels");
}

Parsed<RouteEncap> parse_encap(const NameTables& names, Arguments& arguments) {
    const auto word = TRY(arguments.value("encap"));
    const auto* type = std::ranges::find(types, word, &Type::name);
    if (type == std::end(types)) {
        return refused(fmt::format(
            "Error: argument \"{}\" is wrong: \"encap type\" value is invalid\n\n", word));
    }
    // Its words are newer than the oldest builds.
    const bool newer = word != "seg6local" || arguments.traits().has(Trait::words_of_6_1);
    if (type->read == nullptr || !newer) return declined(fmt::format("encap {}", word));
    if (arguments.empty()) return std::unexpected(arguments.value("encap").error());
    // An error of its own for iproute2.
    if (arguments.rest().size() == 1) {
        if (arguments.traits().has(Trait::encap_type_required))
            return refused("Error: argument \"encap type\" is required\n");
        return refused_before(Trait::encap_type_required, arguments.traits(),
                              "Error: unexpected end of line after \"encap\"\n");
    }
    EncapDraft draft{.names = names};
    if (const auto read = type->read(draft, arguments); !read) {
        const bool looked_up = holds_device(draft.attributes);
        return std::unexpected(looked_up ? unexplained(read.error()) : read.error());
    }
    return RouteEncap{.type = type->number, .attributes = std::move(draft.attributes)};
}

}  // namespace nlsh
