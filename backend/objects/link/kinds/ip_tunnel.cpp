#include "backend/objects/link/kinds/ip_tunnel.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <linux/if_tunnel.h>
#include <linux/ip6_tunnel.h>

#include <algorithm>

#include "parser/ip/refusal.h"

namespace nlsh {
namespace {

constexpr std::string_view encapsulations[] = {"none", "fou", "gue"};
constexpr uint32_t max_flow_label = 0xfffff;

Parsed<uint32_t> parse_ds_field(const OptionScope& scope, const LinkRow& row,
                                Arguments& arguments) {
    const auto word = TRY(arguments.value(row.word));
    const auto field = scope.context().names.value(NameKind::dsfield, word);
    return field ? Parsed<uint32_t>(*field) : declined("link: unknown DS field");
}

// Takes the bits in `mask` from `bits`, the others from `value`.
std::string merged(std::string value, const LinkKept& bits) {
    for (size_t i = 0; i < value.size() && i < bits.mask.size(); ++i) {
        value[i] = static_cast<char>((value[i] & ~bits.mask[i]) | (bits.value[i] & bits.mask[i]));
    }
    return value;
}

// The attribute to send. An empty string isn't sent.
decltype(LinkAttribute::value) finished(const OptionScope& scope, const TunnelAttribute& row,
                                        const LinkAttribute* said) {
    using Role = TunnelAttribute::Role;
    std::string initial(row.initial);
    const bool kept = !scope.create() && row.role != Role::fresh;
    if (said == nullptr) {
        if (!kept) return initial;
        return LinkKept{.value = initial,
                        .last = row.role == Role::external,
                        .nonzero = row.role == Role::nonzero};
    }
    const auto* bits = std::get_if<LinkKept>(&said->value);
    if (bits == nullptr) return said->value;
    std::string value = merged(initial, *bits);
    if (!kept) return value;
    return LinkKept{std::move(value), bits->mask};
}

// Sets the bits of the traffic class or of the flow label, which share an attribute. If the value
// is inherited, sets `flag`, and clears the bits.
struct FlowBits {
    uint32_t mask, value;
};
void put_flow_bits(OptionScope& scope, const LinkRow& row, FlowBits bits, uint32_t flag,
                   bool inherit) {
    put_flags(scope, row.attribute, htonl(bits.mask), false);
    if (!inherit) put_flags(scope, row.attribute, htonl(bits.value), true);
    put_flags(scope, static_cast<uint16_t>(row.parameter), flag, inherit);
}

}  // namespace

template <typename T>
void put_flags(OptionScope& scope, uint16_t type, T bits, bool on) {
    auto& attributes = scope.attributes();
    auto found = std::ranges::find(attributes, type, &LinkAttribute::type);
    if (found == attributes.end()) {
        attributes.push_back({type, LinkKept{bytes_of(T{0}), bytes_of(T{0})}});
        found = attributes.end() - 1;
    }
    auto& kept = std::get<LinkKept>(found->value);
    const std::string set = bytes_of(bits);
    for (size_t i = 0; i < set.size(); ++i) {
        kept.mask[i] = static_cast<char>(kept.mask[i] | set[i]);
        kept.value[i] = static_cast<char>(on ? kept.value[i] | set[i] : kept.value[i] & ~set[i]);
    }
}
template void put_flags<uint16_t>(OptionScope&, uint16_t, uint16_t, bool);
template void put_flags<uint32_t>(OptionScope&, uint16_t, uint32_t, bool);

Parsed<void> finish_tunnel(OptionScope& scope, std::span<const TunnelAttribute> layout) {
    std::vector<LinkAttribute> all;
    bool sent = true;
    for (const TunnelAttribute& row : layout) {
        const auto said = std::ranges::find(scope.attributes(), row.type, &LinkAttribute::type);
        const bool named = said != scope.attributes().end();
        const bool external = row.role == TunnelAttribute::Role::external;
        if (external && named) {
            sent = !scope.create();
            if (sent)  // checks the link's own value, but doesn't send it
                all.push_back({row.type, LinkKept{.value = {}, .last = true, .flag = true}});
            else
                all.push_back({row.type, std::string()});
            continue;
        }
        if (!sent) {
            const auto* device = named ? std::get_if<LinkDevice>(&said->value) : nullptr;
            if (device != nullptr) {
                all.push_back({row.type, *device});
                std::get<LinkDevice>(all.back().value).sent = false;
            }
            continue;
        }
        auto value = finished(scope, row, named ? &*said : nullptr);
        const auto* bytes = std::get_if<std::string>(&value);
        if (bytes == nullptr || !bytes->empty()) all.push_back({row.type, std::move(value)});
    }
    scope.attributes() = std::move(all);
    return {};
}

template <uint8_t Family>
Parsed<void> read_endpoint(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    const auto address = TRY(parse_address(TRY(arguments.value(row.word)), Family));
    const auto bytes = address.span();
    scope.replace(row.attribute, all_zero(bytes) ? "" : std::string(bytes.begin(), bytes.end()));
    return {};
}
template Parsed<void> read_endpoint<AF_INET>(OptionScope&, const LinkRow&, Arguments&);
template Parsed<void> read_endpoint<AF_INET6>(OptionScope&, const LinkRow&, Arguments&);

Parsed<void> read_tunnel_ttl(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    uint8_t ttl = 0;
    if (!arguments.take_if("inherit")) {
        const auto word = TRY(arguments.value(row.word));
        ttl = TRY(parse_u8(word));
    }
    scope.replace(row.attribute, bytes_of(ttl));
    return {};
}

Parsed<void> read_tunnel_tos(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    uint8_t tos = 1;
    if (!arguments.take_if("inherit")) {
        tos = static_cast<uint8_t>(TRY(parse_ds_field(scope, row, arguments)));
    }
    scope.replace(row.attribute, bytes_of(tos));
    return {};
}

Parsed<void> set_tunnel_u8(OptionScope& scope, const LinkRow& row, Arguments&) {
    scope.replace(row.attribute, bytes_of(static_cast<uint8_t>(row.parameter)));
    return {};
}

Parsed<std::string> parse_key(std::string_view keyword, std::string_view word) {
    if (word.find('.') == word.npos) {
        const auto key = parse_u32(word);
        if (key) return bytes_of(htonl(*key));
        if (!key.error().bad_value) return std::unexpected(key.error());
        return refused(
            fmt::format("invalid value for \"{}\": \"{}\"; it should be an unsigned "
                        "integer\n",
                        keyword, word));
    }
    const auto key = parse_address(word, AF_INET);
    if (!key) return std::unexpected(unexplained(key.error()));
    return std::string(key->span().begin(), key->span().end());
}

Parsed<void> read_traffic_class(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    constexpr auto flag = uint32_t{IP6_TNL_F_USE_ORIG_TCLASS};
    const bool inherit = arguments.take_if("inherit");
    uint32_t tos = 0;
    if (!inherit) tos = TRY(parse_ds_field(scope, row, arguments));
    put_flow_bits(scope, row, {.mask = 0xffu << 20, .value = tos << 20}, flag, inherit);
    return {};
}

Parsed<void> read_tunnel_flow_label(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    constexpr auto flag = uint32_t{IP6_TNL_F_USE_ORIG_FLOWLABEL};
    const bool inherit = arguments.take_if("inherit");
    uint32_t label = 0;
    if (!inherit) {
        const auto word = TRY(arguments.value(row.word));
        label = TRY(parse_hex_u32(word, max_flow_label));
    }
    put_flow_bits(scope, row, {.mask = max_flow_label, .value = label}, flag, inherit);
    return {};
}

Parsed<void> read_encap_limit(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    constexpr auto flag = uint32_t{IP6_TNL_F_IGN_ENCAP_LIMIT};
    const auto flags = static_cast<uint16_t>(row.parameter);
    const bool none = arguments.take_if("none");
    put_flags(scope, flags, flag, none);
    if (none) return {};
    const auto word = TRY(arguments.value(row.word));
    const auto limit = TRY(parse_u8(word));
    scope.replace(row.attribute, bytes_of(limit));
    return {};
}

Parsed<void> read_dscp(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    if (!arguments.empty() && !arguments.take_if("inherit")) {
        return bad_value("link: dscp is inherited only");
    }
    put_flags(scope, row.attribute, uint32_t{IP6_TNL_F_RCV_DSCP_COPY}, true);
    return {};
}

Parsed<void> set_local_remote(OptionScope& scope, const LinkRow& row, Arguments&) {
    put_flags(scope, row.attribute, uint32_t{IP6_TNL_F_ALLOW_LOCAL_REMOTE}, row.parameter != 0);
    return {};
}

Parsed<void> set_external(OptionScope& scope, const LinkRow& row, Arguments&) {
    scope.replace(row.attribute, "");
    return {};
}

Parsed<void> read_encap_type(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    const auto word = TRY(arguments.value(row.word));
    const auto type = TRY(name_index(encapsulations, word));
    scope.replace(row.attribute, bytes_of(uint16_t{type}));
    return {};
}

Parsed<void> clear_encap_type(OptionScope& scope, const LinkRow& row, Arguments&) {
    scope.replace(row.attribute, bytes_of(uint16_t{0}));
    return {};
}

Parsed<void> read_encap_source_port(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    if (!arguments.take_if("auto")) return read_encap_port(scope, row, arguments);
    scope.replace(row.attribute, bytes_of(uint16_t{0}));
    return {};
}

Parsed<void> read_encap_port(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    const auto word = TRY(arguments.value(row.word));
    const auto port = TRY(parse_u16(word));
    scope.replace(row.attribute, bytes_of(htons(port)));
    return {};
}

template <bool On>
Parsed<void> set_encap_flag(OptionScope& scope, const LinkRow& row, Arguments&) {
    put_flags(scope, row.attribute, static_cast<uint16_t>(row.parameter), On);
    return {};
}
template Parsed<void> set_encap_flag<true>(OptionScope&, const LinkRow&, Arguments&);
template Parsed<void> set_encap_flag<false>(OptionScope&, const LinkRow&, Arguments&);

void print_endpoint(const KindOutput& output, const LinkRow& row, Attribute value) {
    if (all_zero(value.bytes())) {
        print_text(output, row, "any");
    } else {
        print_inet(output, row, value);
    }
}

void print_tunnel_ttl(const KindOutput& output, const LinkRow& row, Attribute value) {
    if (value.u8() != 0) return print_number(output, row, value);
    output.printer.text(fmt::format("{} inherit ", row.text_label()));
    output.printer.json_number(row.json_key(), 0);
}

void print_hex_if_set(const KindOutput& output, const LinkRow& row, Attribute value) {
    if (value.u32() != 0) print_hex(output, row, value);
}

void print_inet_if_set(const KindOutput& output, const LinkRow& row, Attribute value) {
    if (!all_zero(value.bytes())) print_inet(output, row, value);
}

void print_encapsulation(const KindOutput& output, const LinkRow&, Attribute value) {
    if (value.u16() == TUNNEL_ENCAP_NONE) return;
    if (value.u16() >= std::size(encapsulations)) {
        output.context.fall_back("unknown UDP encapsulation");
        return;
    }
    Printer& printer = output.printer;
    const auto next = [&](unsigned places) {
        return output.attributes[static_cast<size_t>(value.type()) + places].u16();
    };
    const uint16_t flags = next(1);
    const uint16_t source = ntohs(next(2));
    printer.open_object("encap");
    printer.string("type", "encap ", encapsulations[value.u16()], " ");
    printer.json_number("sport", source);
    printer.text(source == 0 ? "encap-sport auto " : fmt::format("encap-sport {} ", source));
    printer.number("dport", "encap-dport ", ntohs(next(3)), " ");
    const auto flag = [&](std::string_view key, uint16_t bit) {
        const bool set = (flags & bit) != 0;
        printer.boolean(key, fmt::format("{}encap-{} ", set ? "" : "no", key), set);
    };
    flag("csum", TUNNEL_ENCAP_FLAG_CSUM);
    flag("csum6", TUNNEL_ENCAP_FLAG_CSUM6);
    flag("remcsum", TUNNEL_ENCAP_FLAG_REMCSUM);
    printer.close_object();
}

void print_traffic_class(const KindOutput& output, const LinkRow& row, Attribute value) {
    const uint32_t flags = output.attributes[row.parameter].u32();
    if ((flags & IP6_TNL_F_USE_ORIG_TCLASS) != 0) {
        output.printer.boolean("ip6_tnl_f_use_orig_tclass", "tclass inherit ");
        return;
    }
    const uint32_t info = ntohl(value.u32());
    print_text(output, row, fmt::format("0x{:02x}", info >> 20 & 0xff));
}

void print_tunnel_flow_label(const KindOutput& output, const LinkRow& row, Attribute value) {
    const uint32_t flags = output.attributes[row.parameter].u32();
    if ((flags & IP6_TNL_F_USE_ORIG_FLOWLABEL) != 0) {
        output.printer.boolean("ip6_tnl_f_use_orig_flowlabel", "flowlabel inherit ");
        return;
    }
    const uint32_t info = ntohl(value.u32());
    print_text(output, row, fmt::format("0x{:05x}", info & max_flow_label));
}

void print_encap_limit(const KindOutput& output, const LinkRow& row, Attribute value) {
    const uint32_t flags = output.attributes[row.parameter].u32();
    if ((flags & IP6_TNL_F_MIP6_DEV) != 0) output.context.fall_back("Mobile IPv6 tunnel");
    if ((flags & IP6_TNL_F_IGN_ENCAP_LIMIT) != 0) {
        output.printer.boolean("ip6_tnl_f_ign_encap_limit", "encaplimit none ");
    } else {
        output.printer.number(row.json_key(), before(row), value.u8(), " ");
    }
}

}  // namespace nlsh
