#include "backend/objects/route/words/encap.h"
#include "parser/ip/refusal.h"

#include <endian.h>
#include <fmt/format.h>
#include <linux/lwtunnel.h>
#include <linux/mpls.h>
#include <linux/mpls_iptunnel.h>
#include <sys/socket.h>

#include <algorithm>

#include "backend/objects/route/words/encap_words.h"
#include "backend/objects/route/words/values.h"
#include "parser/ip/bytes.h"
#include "parser/try.h"

namespace nlsh {
namespace {

// iproute2 has room for more labels, but nobody needs more.
constexpr size_t max_labels = 16;

Parsed<void> read_value(EncapDraft& draft, const EncapRow& row, Arguments& arguments) {
    if (row.form == EncapForm::left) return declined(fmt::format("encap: {}", row.word));
    if (row.form == EncapForm::flag) {
        draft.flags = static_cast<uint16_t>(draft.flags | row.type);
        return {};
    }
    if (row.form >= EncapForm::action) return read_seg6local_value(draft, row, arguments);
    const auto word = TRY(arguments.value(row.word));
    switch (row.form) {
        case EncapForm::id:
            draft.put(row.type, bytes_of(htobe64(TRY(parse_u64(word)))));
            break;
        case EncapForm::hops:
            draft.put(row.type, bytes_of(TRY(parse_u8(word))));
            break;
        case EncapForm::traffic_class:
            draft.put(row.type,
                      bytes_of(TRY(parse_named_u8(draft.names, NameKind::dsfield, word))));
            break;
        default: {  // an end
            const uint8_t family = row.form == EncapForm::end4 ? AF_INET : AF_INET6;
            const auto address = TRY(parse_plain_address(word, family));
            const auto bytes = address.span();
            draft.put(row.type, std::string(bytes.begin(), bytes.end()));
        }
    }
    return {};
}

template <size_t Place>
Parsed<void> read_tunnel(EncapDraft& draft, Arguments& arguments) {
    constexpr const EncapTunnel& tunnel = encap_tunnels[Place];
    TRY(take_encap_words(draft, tunnel.rows, arguments));
    if (draft.flags != 0) draft.put(tunnel.flags, bytes_of(htobe16(draft.flags)));
    return {};
}

// LABELS [ttl TTL]
Parsed<void> read_mpls(EncapDraft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("mpls"));
    const auto labels = parse_labels(word);
    if (!labels) return std::unexpected(with_expectation(labels.error(), "address", word, AF_MPLS));
    draft.put(MPLS_IPTUNNEL_DST, *labels);
    return take_encap_words(draft, mpls_encap_rows, arguments);
}

struct Type {
    std::string_view name;
    uint16_t number;  // LWTUNNEL_ENCAP_*
    Parsed<void> (*read)(EncapDraft&, Arguments&);
};

// All types that iproute2 knows; a type without a reader falls back.
constexpr Type types[] = {
    {"mpls", LWTUNNEL_ENCAP_MPLS, read_mpls},
    {"ip", LWTUNNEL_ENCAP_IP, read_tunnel<0>},
    {"ip6", LWTUNNEL_ENCAP_IP6, read_tunnel<1>},
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

Parsed<void> take_encap_words(EncapDraft& draft, std::span<const EncapRow> rows,
                              Arguments& arguments) {
    uint32_t taken = 0;  // a bit for each word
    while (!arguments.empty()) {
        const auto hit = std::ranges::find(rows, arguments.peek(), &EncapRow::word);
        if (hit == rows.end()) break;
        arguments.take();
        const uint32_t bit = 1U << (hit - rows.begin());
        const std::string value(arguments.empty() ? "" : arguments.peek());
        if ((taken & bit) != 0) {
            // iproute2's error then names the word itself as the garbage.
            if (hit->alone()) return garbage(arguments.traits(), hit->word, hit->word);
            if (arguments.empty()) return declined("encap: a word twice");
            return garbage(arguments.traits(), hit->word, value);
        }
        taken |= bit;
        if (auto read = read_value(draft, *hit, arguments); !read) {
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
    // Older builds lack some of its words.
    const bool newer = word != "seg6local" || arguments.traits().has(Trait::words_of_6_1);
    if (type->read == nullptr || !newer) return declined(fmt::format("encap {}", word));
    if (arguments.empty()) return std::unexpected(arguments.value("encap").error());
    // iproute2 has a special error for this.
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
