// `encap seg6` and `encap seg6local`: IPv6 segment routing.
#include <endian.h>
#include <linux/netlink.h>
#include <linux/seg6.h>
#include <linux/seg6_iptunnel.h>
#include <linux/seg6_local.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "backend/objects/route/words/encap_words.h"
#include "backend/objects/route/words/seg6_names.h"
#include "backend/objects/route/words/values.h"
#include "parser/ip/bytes.h"
#include "parser/ip/keywords.h"
#include "parser/ip/newer_kernel.h"
#include "parser/ip/refusal.h"
#include "parser/try.h"

namespace nlsh {
namespace {

using Address = std::string;  // 16 bytes

constexpr uint8_t routing_type = 4;  // RFC 8754, 2

// iproute2 has room for more segments, but nobody needs more.
constexpr size_t max_segments = 16;

// A segment routing header while its words are being read.
struct Segments {
    std::vector<Address> addresses;  // the first one first
    uint32_t hmac_key = 0;           // 0: none
};

// ADDRESS,ADDRESS,…
Parsed<void> read_segments(Segments& segments, std::string_view word) {
    for (std::string_view rest = word;;) {
        const size_t comma = rest.find(',');
        const std::string_view part = rest.substr(0, comma);
        if (part.empty()) return declined("an empty segment");
        const auto address = TRY(parse_plain_address(part, AF_INET6));
        segments.addresses.emplace_back(address.bytes.begin(), address.bytes.end());
        if (comma == rest.npos) break;
        rest.remove_prefix(comma + 1);
    }
    if (segments.addresses.size() > max_segments) return declined("many segments");
    return {};
}

// iproute2 reads a bad number as "no HMAC".
Parsed<void> read_hmac(Segments& segments, Arguments& arguments) {
    const auto word = TRY(arguments.value("hmac"));
    const auto key = parse_u32(word);
    if (!key || *key == 0) return declined("key of an HMAC");
    segments.hmac_key = *key;
    return {};
}

// The header's bytes; the last segment comes first.
std::string header_of(const Segments& segments) {
    struct Hmac {  // a TLV of RFC 8754, 2.1.2
        uint8_t type = SR6_TLV_HMAC;
        uint8_t size = 38;
        uint16_t flags = 0;
        uint32_t key = 0;
        uint8_t digest[32] = {};
    };
    const size_t count = segments.addresses.size();
    const bool hmac = segments.hmac_key != 0;
    ipv6_sr_hdr header{};
    header.hdrlen = static_cast<uint8_t>(2 * count + (hmac ? sizeof(Hmac) / 8 : 0));
    header.type = routing_type;
    header.segments_left = static_cast<uint8_t>(count - 1);
    header.first_segment = header.segments_left;
    header.flags = hmac ? SR6_FLAG1_HMAC : 0;
    std::string bytes = bytes_of(header);
    std::for_each(segments.addresses.rbegin(), segments.addresses.rend(),
                  [&](const Address& address) { bytes += address; });
    if (hmac) bytes += bytes_of(Hmac{.key = htobe32(segments.hmac_key)});
    return bytes;
}

// Adds room for the packet's own destination, which the kernel fills in.
std::string with_spare_segment(std::string bytes) {
    ipv6_sr_hdr header{};
    std::memcpy(&header, bytes.data(), sizeof header);
    header.hdrlen = static_cast<uint8_t>(header.hdrlen + 2);
    ++header.segments_left;
    ++header.first_segment;
    return bytes_of(header) + std::string(sizeof(in6_addr), '\0') + bytes.substr(sizeof header);
}

struct FlavorLength {
    std::string_view keyword;
    uint16_t type;
    const char* complaint;
};
// In their required order.
constexpr FlavorLength flavor_lengths[] = {
    {"lblen", SEG6_LOCAL_FLV_LCBLOCK_BITS, "\"locator-block length\" value is invalid\n"},
    {"nflen", SEG6_LOCAL_FLV_LCNODE_FN_BITS, "\"locator-node function length\" value is invalid\n"},
};

Parsed<void> read_action(EncapDraft& draft, uint16_t type, Arguments& arguments) {
    if (arguments.empty()) return declined("no action");  // with an unusual message
    const std::string_view word = arguments.take();
    const auto* hit = std::ranges::find(seg6_actions, word);
    if (hit == std::end(seg6_actions) || word.empty()) return bad_value("an action");
    const auto action = static_cast<uint32_t>(hit - seg6_actions);
    if (action == SEG6_LOCAL_ACTION_END_BPF) return declined("encap: a BPF program");
    draft.put(type, bytes_of(action));
    return {};
}

Parsed<void> read_table(EncapDraft& draft, uint16_t type, Arguments& arguments) {
    const auto word = TRY(arguments.value("table"));
    const auto table = TRY(parse_table(draft.names, word));
    draft.put(type, bytes_of(table));
    return {};
}

Parsed<void> read_nexthop(EncapDraft& draft, uint16_t type, uint8_t family, Arguments& arguments) {
    const auto address = TRY(parse_plain_address(TRY(arguments.value("address")), family));
    const auto bytes = address.span();
    draft.put(type, std::string(bytes.begin(), bytes.end()));
    return {};
}

Parsed<void> read_device(EncapDraft& draft, uint16_t type, Arguments& arguments) {
    LinkDevice device{.name = {}, .role = LinkDevice::Role::strict};
    TRY(take_device(device.name, arguments));
    draft.put(type, std::move(device));
    return {};
}

// segs SEGMENTS [hmac KEY]
Parsed<void> read_header(EncapDraft& draft, uint16_t type, Arguments& arguments) {
    Segments segments;
    if (arguments.empty()) return std::unexpected(arguments.value("srh").error());
    if (!arguments.take_if("segs")) return bad_value("a header without segments");
    const auto word = TRY(arguments.value("segs"));
    TRY(read_segments(segments, word));
    // iproute2 also reads the segments as the next word.
    if (arguments.empty()) return declined("a header at the end of the line");
    if (arguments.take_if("hmac")) {
        TRY(read_hmac(segments, arguments));
    }
    draft.put(type, header_of(segments));
    return {};
}

Parsed<void> read_counters(EncapDraft& draft, uint16_t type) {
    LinkNest nest;
    for (const uint16_t counter :
         {SEG6_LOCAL_CNT_PACKETS, SEG6_LOCAL_CNT_BYTES, SEG6_LOCAL_CNT_ERRORS}) {
        nest.attributes.push_back({counter, bytes_of(uint64_t{0})});
    }
    draft.put(type | NLA_F_NESTED, std::move(nest));
    return {};
}

Parsed<void> read_length(LinkNest& nest, std::string_view keyword, uint16_t type,
                         const char* complaint, Arguments& arguments) {
    if (!arguments.take_if(keyword)) return {};
    const auto word = TRY(arguments.value(keyword));
    const auto bits = parse_u8(word);
    if (!bits) return std::unexpected(with_complaint(bits.error(), word, complaint));
    nest.attributes.push_back({type, bytes_of(*bits)});
    return {};
}

// OPERATION,OPERATION,… [lblen BITS] [nflen BITS]
Parsed<void> read_flavors(EncapDraft& draft, uint16_t type, Arguments& arguments) {
    const auto word = TRY(arguments.value("flavors"));
    uint32_t operations = 0;
    for (std::string_view rest = word;;) {
        const size_t comma = rest.find(',');
        const std::string_view name = rest.substr(0, comma);
        const auto* hit = std::ranges::find(seg6_flavors, name);
        const uint32_t bit = 1U << (hit - seg6_flavors);
        // iproute2 has cut the word into pieces by now.
        if (hit == std::end(seg6_flavors) || name.empty() || (operations & bit) != 0) {
            return comma == rest.npos && rest == word ? bad_value("a flavor") : declined("flavors");
        }
        operations |= bit;
        if (comma == rest.npos) break;
        rest.remove_prefix(comma + 1);
    }
    LinkNest nest;
    nest.attributes.push_back({SEG6_LOCAL_FLV_OPERATION, bytes_of(operations)});
    if ((operations & 1U << SEG6_LOCAL_FLV_OP_NEXT_CSID) != 0) {
        for (const auto& [keyword, length, complaint] : flavor_lengths) {
            if (arguments.empty()) return declined("flavors at whose end iproute2 dies");
            const auto read = read_length(nest, keyword, length, complaint, arguments);
            if (!read) return read;
        }
    }
    draft.put(type | NLA_F_NESTED, std::move(nest));
    return {};
}

// The error for a repeated word.
std::unexpected<Decline> twice(std::string_view word, Arguments& arguments) {
    if (arguments.empty()) return std::unexpected(arguments.value(word).error());
    return garbage(arguments.traits(), word, arguments.peek());
}

// State of `seg6` in addition to the attributes.
struct Seg6 {
    const NameTables& names;
    Segments segments = {};
    std::optional<std::string_view> addresses = {};  // read after all other words
    std::optional<int> mode = {};
    Address source = {};  // empty: the kernel's choice
    uint32_t table = 0;
};

Parsed<void> take_mode(Seg6& seg6, Arguments& arguments) {
    if (seg6.mode) return twice("mode", arguments);
    const auto word = TRY(arguments.value("mode"));
    const auto* hit = std::ranges::find(seg6_modes, word);
    if (hit == std::end(seg6_modes)) return bad_value("a mode");
    const bool reduced = hit->ends_with(".red");
    if (reduced && !arguments.traits().has(Trait::words_of_6_1))
        return declined("encap seg6: mode");
    seg6.mode = static_cast<int>(hit - seg6_modes);
    return {};
}

Parsed<void> take_segments(Seg6& seg6, Arguments& arguments) {
    if (seg6.addresses) return twice("segs", arguments);
    if (!seg6.mode && !arguments.empty()) return bad_value("segments before the mode");
    seg6.addresses = TRY(arguments.value("segs"));
    return {};
}

Parsed<void> take_hmac(Seg6& seg6, Arguments& arguments) {
    if (seg6.segments.hmac_key != 0) return twice("hmac", arguments);
    return read_hmac(seg6.segments, arguments);
}

Parsed<void> take_source(Seg6& seg6, Arguments& arguments) {
    if (!seg6.source.empty()) return twice("tunsrc", arguments);
    const auto word = TRY(arguments.value("tunsrc"));
    if (!seg6.mode) return bad_value("a source before the mode");
    if (*seg6.mode == SEG6_IPTUN_MODE_INLINE) {
        return std::unexpected(with_complaint(bad_value("a source of no tunnel").error(), word,
                                              "\"tunsrc\" invalid with inline mode\n"));
    }
    const auto address = TRY(parse_plain_address(word, AF_INET6));
    seg6.source.assign(address.bytes.begin(), address.bytes.end());
    return {};
}

Parsed<void> take_table(Seg6& seg6, Arguments& arguments) {
    if (seg6.table != 0) return twice("lookup", arguments);
    const auto word = TRY(arguments.value("lookup"));
    seg6.table = TRY(parse_table(seg6.names, word));
    return seg6.table != 0 ? Parsed<void>{} : bad_value("table 0");
}

constexpr Keyword<Seg6> seg6_keywords[] = {
    {.word = "mode", .take = take_mode, .complaint = "\"mode\" value is invalid\n"},
    {.word = "segs", .take = take_segments, .complaint = "\"segs\" provided before \"mode\"\n"},
    {.word = "hmac", .take = take_hmac},
    {.word = "tunsrc",
     .take = take_source,
     .complaint = "\"tunsrc\" provided before \"mode\"\n",
     .since = Trait::seg6_source},
    {.word = "lookup",
     .take = take_table,
     .complaint = "\"lookup\" value is invalid\n",
     .since = Trait::seg6_lookup},
};

}  // namespace

Parsed<void> read_seg6(EncapDraft& draft, Arguments& arguments) {
    Seg6 seg6{.names = draft.names};
    while (!arguments.empty()) {
        const auto taken = TRY(take_keyword<Seg6>(seg6_keywords, seg6, arguments));
        if (!taken) break;
    }
    if (!seg6.mode || !seg6.addresses) return declined("encap seg6: no segments");
    TRY(read_segments(seg6.segments, *seg6.addresses));
    std::string header = header_of(seg6.segments);
    if (*seg6.mode == SEG6_IPTUN_MODE_INLINE) header = with_spare_segment(std::move(header));
    draft.put(SEG6_IPTUNNEL_SRH, bytes_of(*seg6.mode) + header);
    if (!seg6.source.empty()) draft.put(newer::SEG6_IPTUNNEL_SRC, seg6.source);
    if (seg6.table != 0) draft.put(newer::seg6_table, bytes_of(seg6.table));
    return {};
}

Parsed<void> read_seg6local_value(EncapDraft& draft, const EncapRow& row, Arguments& arguments) {
    switch (row.form) {
        case EncapForm::action:
            return read_action(draft, row.type, arguments);
        case EncapForm::header:
            return read_header(draft, row.type, arguments);
        case EncapForm::table:
            return read_table(draft, row.type, arguments);
        case EncapForm::hop4:
            return read_nexthop(draft, row.type, AF_INET, arguments);
        case EncapForm::hop6:
            return read_nexthop(draft, row.type, AF_INET6, arguments);
        case EncapForm::device:
            return read_device(draft, row.type, arguments);
        case EncapForm::counters:
            return read_counters(draft, row.type);
        case EncapForm::flavors:
            return read_flavors(draft, row.type, arguments);
        default:
            return declined("encap: not of seg6local");
    }
}

Parsed<void> read_seg6local(EncapDraft& draft, Arguments& arguments) {
    TRY(take_encap_words(draft, seg6local_rows, arguments));
    const auto find = [&](uint16_t type) -> std::string* {
        const auto hit = std::ranges::find(draft.attributes, type, &LinkAttribute::type);
        return hit == draft.attributes.end() ? nullptr : std::get_if<std::string>(&hit->value);
    };
    const std::string* action = find(SEG6_LOCAL_ACTION);
    if (action == nullptr) return refused("Missing action type\n");
    std::string* header = find(SEG6_LOCAL_SRH);
    if (header != nullptr && *action == bytes_of(uint32_t{SEG6_LOCAL_ACTION_END_B6})) {
        *header = with_spare_segment(std::move(*header));
    }
    return {};
}

}  // namespace nlsh
