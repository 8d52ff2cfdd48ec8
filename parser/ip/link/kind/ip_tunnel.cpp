#include "parser/ip/link/kind/ip_tunnel.h"
#include "parser/ip/refusal.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <linux/ip6_tunnel.h>

#include <algorithm>

namespace nlsh {
namespace {

constexpr uint32_t max_flow_label = 0xfffff;

Parsed<void> read_endpoint(OptionScope& scope, const LinkOption& option, Arguments& arguments,
                           uint8_t family) {
    const auto word = arguments.value(option.word);
    if (!word) return std::unexpected(word.error());
    const auto address = parse_address(*word, family);
    if (!address) return std::unexpected(address.error());
    const auto bytes = address->span();
    const bool none = std::ranges::all_of(bytes, [](uint8_t byte) { return byte == 0; });
    replace(scope, option.attribute, none ? "" : std::string(bytes.begin(), bytes.end()));
    return {};
}

// `value`, with the bits of `bits` that `mask` names.
std::string merged(std::string value, const LinkKept& bits) {
    for (size_t i = 0; i < value.size() && i < bits.mask.size(); ++i) {
        value[i] = static_cast<char>((value[i] & ~bits.mask[i]) | (bits.value[i] & bits.mask[i]));
    }
    return value;
}

// The attribute as it is sent. A string that is empty: not at all.
decltype(LinkAttribute::value) finished(const OptionScope& scope, const TunnelAttribute& row,
                                        const LinkAttribute* said) {
    using Role = TunnelAttribute::Role;
    const std::string initial(row.initial);
    const bool kept = !scope.create() && row.role != Role::fresh;
    if (said == nullptr) {
        if (!kept) return initial;
        return LinkKept{initial, {}, row.role == Role::external};
    }
    const auto* bits = std::get_if<LinkKept>(&said->value);
    if (bits == nullptr) return said->value;
    std::string value = merged(initial, *bits);
    if (!kept) return value;
    return LinkKept{std::move(value), bits->mask};
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

void replace(OptionScope& scope, uint16_t type, std::string bytes) {
    scope.erase(type);
    scope.attributes().push_back({type, std::move(bytes)});
}

Parsed<void> finish_tunnel(OptionScope& scope, std::span<const TunnelAttribute> layout) {
    std::vector<LinkAttribute> all;
    for (const TunnelAttribute& row : layout) {
        const auto said = std::ranges::find(scope.attributes(), row.type, &LinkAttribute::type);
        const bool named = said != scope.attributes().end();
        const bool external = row.role == TunnelAttribute::Role::external;
        if (external && named) {
            if (scope.create())
                all.push_back({row.type, std::string()});
            else
                all.push_back({row.type, LinkKept{.value = {}, .flag = true}});
            break;
        }
        auto value = finished(scope, row, named ? &*said : nullptr);
        const auto* bytes = std::get_if<std::string>(&value);
        if (bytes == nullptr || !bytes->empty()) all.push_back({row.type, std::move(value)});
    }
    scope.attributes() = std::move(all);
    return {};
}

Parsed<void> read_endpoint4(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    return read_endpoint(scope, option, arguments, AF_INET);
}
Parsed<void> read_endpoint6(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    return read_endpoint(scope, option, arguments, AF_INET6);
}

Parsed<void> read_tunnel_ttl(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    uint8_t ttl = 0;
    if (!arguments.take_if("inherit")) {
        const auto word = arguments.value(option.word);
        if (!word) return std::unexpected(word.error());
        const auto number = parse_u8(*word);
        if (!number) return std::unexpected(number.error());
        ttl = *number;
    }
    replace(scope, option.attribute, bytes_of(ttl));
    return {};
}

Parsed<void> read_tunnel_tos(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    uint8_t tos = 1;
    if (!arguments.take_if("inherit")) {
        const auto word = arguments.value(option.word);
        if (!word) return std::unexpected(word.error());
        const auto field = scope.context().names.value(NameKind::dsfield, *word);
        if (!field) return declined("link: unknown DS field");
        tos = static_cast<uint8_t>(*field);
    }
    replace(scope, option.attribute, bytes_of(tos));
    return {};
}

Parsed<void> read_fwmark(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    const auto word = arguments.value(option.word);
    if (!word) return std::unexpected(word.error());
    const auto mark = parse_u32(*word);
    if (!mark) return std::unexpected(mark.error());
    replace(scope, option.attribute, bytes_of(*mark));
    return {};
}

Parsed<void> set_tunnel_u8(OptionScope& scope, const LinkOption& option, Arguments&) {
    replace(scope, option.attribute, bytes_of(static_cast<uint8_t>(option.parameter)));
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

Parsed<void> read_traffic_class(OptionScope& scope, const LinkOption& option,
                                Arguments& arguments) {
    constexpr auto flag = uint32_t{IP6_TNL_F_USE_ORIG_TCLASS};
    const auto flags = static_cast<uint16_t>(option.parameter);
    const bool inherit = arguments.take_if("inherit");
    uint32_t tos = 0;
    if (!inherit) {
        const auto word = arguments.value(option.word);
        if (!word) return std::unexpected(word.error());
        const auto field = scope.context().names.value(NameKind::dsfield, *word);
        if (!field) return declined("link: unknown DS field");
        tos = *field;
    }
    put_flags(scope, option.attribute, htonl(0xffu << 20), false);
    if (!inherit) put_flags(scope, option.attribute, htonl(tos << 20), true);
    put_flags(scope, flags, flag, inherit);
    return {};
}

Parsed<void> read_tunnel_flow_label(OptionScope& scope, const LinkOption& option,
                                    Arguments& arguments) {
    constexpr auto flag = uint32_t{IP6_TNL_F_USE_ORIG_FLOWLABEL};
    const auto flags = static_cast<uint16_t>(option.parameter);
    const bool inherit = arguments.take_if("inherit");
    uint32_t label = 0;
    if (!inherit) {
        const auto word = arguments.value(option.word);
        if (!word) return std::unexpected(word.error());
        const auto number = parse_u32(*word, max_flow_label);
        if (!number) return std::unexpected(number.error());
        label = *number;
    }
    put_flags(scope, option.attribute, htonl(max_flow_label), false);
    if (!inherit) put_flags(scope, option.attribute, htonl(label), true);
    put_flags(scope, flags, flag, inherit);
    return {};
}

Parsed<void> read_encap_limit(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    constexpr auto flag = uint32_t{IP6_TNL_F_IGN_ENCAP_LIMIT};
    const auto flags = static_cast<uint16_t>(option.parameter);
    const bool none = arguments.take_if("none");
    put_flags(scope, flags, flag, none);
    if (none) return {};
    const auto word = arguments.value(option.word);
    if (!word) return std::unexpected(word.error());
    const auto limit = parse_u8(*word);
    if (!limit) return std::unexpected(limit.error());
    replace(scope, option.attribute, bytes_of(*limit));
    return {};
}

Parsed<void> read_dscp(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    if (!arguments.empty() && !arguments.take_if("inherit")) {
        return bad_value("link: dscp is inherited only");
    }
    put_flags(scope, option.attribute, uint32_t{IP6_TNL_F_RCV_DSCP_COPY}, true);
    return {};
}

Parsed<void> set_local_remote(OptionScope& scope, const LinkOption& option, Arguments&) {
    put_flags(scope, option.attribute, uint32_t{IP6_TNL_F_ALLOW_LOCAL_REMOTE},
              option.parameter != 0);
    return {};
}

Parsed<void> read_encap_type(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    static constexpr std::string_view names[] = {"none", "fou", "gue"};
    const auto word = arguments.value(option.word);
    if (!word) return std::unexpected(word.error());
    const auto type = name_index(names, *word);
    if (!type) return std::unexpected(type.error());
    replace(scope, option.attribute, bytes_of(uint16_t{*type}));
    return {};
}

Parsed<void> clear_encap_type(OptionScope& scope, const LinkOption& option, Arguments&) {
    replace(scope, option.attribute, bytes_of(uint16_t{0}));
    return {};
}

Parsed<void> read_encap_source_port(OptionScope& scope, const LinkOption& option,
                                    Arguments& arguments) {
    if (!arguments.take_if("auto")) return read_encap_port(scope, option, arguments);
    replace(scope, option.attribute, bytes_of(uint16_t{0}));
    return {};
}

Parsed<void> read_encap_port(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    const auto word = arguments.value(option.word);
    if (!word) return std::unexpected(word.error());
    const auto port = parse_u16(*word);
    if (!port) return std::unexpected(port.error());
    replace(scope, option.attribute, bytes_of(htons(*port)));
    return {};
}

Parsed<void> set_encap_flag(OptionScope& scope, const LinkOption& option, Arguments&) {
    put_flags(scope, option.attribute, static_cast<uint16_t>(option.parameter), true);
    return {};
}
Parsed<void> clear_encap_flag(OptionScope& scope, const LinkOption& option, Arguments&) {
    put_flags(scope, option.attribute, static_cast<uint16_t>(option.parameter), false);
    return {};
}

}  // namespace nlsh
