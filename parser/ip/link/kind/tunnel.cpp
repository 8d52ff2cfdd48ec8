#include "parser/ip/link/kind/tunnel.h"
#include "parser/ip/refusal.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <linux/if_link.h>

#include <algorithm>

namespace nlsh {
namespace {

constexpr uint32_t max_flow_label = 0xfffff;

// Of vxlan's addresses the first decides the family, of which iproute2 complains first. Geneve has
// but one.
uint8_t settled_family(const OptionScope& scope, const LinkOption& option) {
    const bool vxlan =
        option.parameter == IFLA_VXLAN_GROUP6 || option.parameter == IFLA_VXLAN_LOCAL6;
    if (!vxlan) return AF_UNSPEC;
    if (scope.has(IFLA_VXLAN_GROUP) || scope.has(IFLA_VXLAN_LOCAL)) return AF_INET;
    return scope.has(IFLA_VXLAN_GROUP6) || scope.has(IFLA_VXLAN_LOCAL6) ? AF_INET6 : AF_UNSPEC;
}

Parsed<void> read_inet(OptionScope& scope, const LinkOption& option, Arguments& arguments,
                       bool multicast) {
    const auto word = arguments.value(option.word);
    if (!word) return std::unexpected(word.error());
    if (scope.has(option.attribute) || scope.has(static_cast<uint16_t>(option.parameter))) {
        return declined("link: two addresses");
    }
    const uint8_t family = scope.context().options.family;
    const uint8_t settled = settled_family(scope, option);
    // With -4 and -6 too iproute2 takes either family at first.
    const auto address = parse_address(*word, settled);
    if (!address && family != AF_UNSPEC) return std::unexpected(unexplained(address.error()));
    if (!address) return std::unexpected(address.error());
    if (address->size == 0 && settled != AF_UNSPEC) return declined("link: any address");
    if (address->size == 0 || is_multicast(*address) != multicast) {
        const std::string text = fmt::format("invalid {} address", option.word);
        return std::unexpected(
            with_complaint(bad_value("link: bad address").error(), *word, text.c_str()));
    }
    if (family != AF_UNSPEC && family != address->family) return declined("link: -4 or -6");
    const bool ipv4 = address->size == 4;
    const auto bytes = address->span();
    return scope.put(ipv4 ? option.attribute : static_cast<uint16_t>(option.parameter),
                     std::string(bytes.begin(), bytes.end()));
}

Parsed<void> read_ttl(OptionScope& scope, const LinkOption& option, Arguments& arguments,
                      std::string inherit) {
    if (arguments.take_if("inherit")) {
        return scope.put(static_cast<uint16_t>(option.parameter), std::move(inherit));
    }
    if (arguments.take_if("auto")) return scope.put_number(option.attribute, uint8_t{0});
    const std::string_view word = arguments.empty() ? "" : arguments.peek();
    auto read = read_u8(scope, {option.word, option.attribute, read_u8}, arguments);
    if (read) return read;
    const char* complaint = parse_u32(word) ? "TTL must be <= 255" : "invalid TTL";
    return std::unexpected(with_complaint(std::move(read.error()), word, complaint));
}

Parsed<void> read_u32_or(OptionScope& scope, const LinkOption& option, Arguments& arguments,
                         std::string_view zero) {
    if (arguments.take_if(zero)) return scope.put_number(option.attribute, uint32_t{0});
    return read_u32(scope, option, arguments);
}

}  // namespace

Parsed<void> read_unicast(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    return read_inet(scope, option, arguments, false);
}
Parsed<void> read_multicast(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    return read_inet(scope, option, arguments, true);
}

Parsed<void> read_ttl_or_flag(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    return read_ttl(scope, option, arguments, "");
}
Parsed<void> read_ttl_or_byte(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    return read_ttl(scope, option, arguments, "\1");
}

Parsed<void> read_vni(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    constexpr uint32_t max_vni = 0xffffff;
    if (scope.has(option.attribute) && !arguments.empty()) return garbage("id", arguments.peek());
    return read_u32(scope, {option.word, option.attribute, read_u32, max_vni}, arguments);
}

Parsed<void> read_tos(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    if (arguments.take_if("inherit")) return scope.put_number(option.attribute, uint8_t{1});
    const auto word = arguments.value(option.word);
    if (!word) return std::unexpected(word.error());
    const auto tos = scope.context().names.value(NameKind::dsfield, *word);
    if (!tos) return declined("link: unknown DS field");
    return scope.put_number(option.attribute, static_cast<uint8_t>(*tos));
}

Parsed<void> read_fragment(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    static constexpr std::string_view names[] = {"unset", "set", "inherit"};
    return read_name(scope, {option.word, option.attribute, read_name, 0, names}, arguments);
}

Parsed<void> read_flow_label(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    const auto word = arguments.value(option.word);
    if (!word) return std::unexpected(word.error());
    const auto label = parse_u32(*word, max_flow_label);
    if (!label) return std::unexpected(label.error());
    return scope.put_number(option.attribute, htonl(*label));
}

Parsed<void> read_u32_or_none(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    return read_u32_or(scope, option, arguments, "none");
}
Parsed<void> read_u32_or_unlimited(OptionScope& scope, const LinkOption& option,
                                   Arguments& arguments) {
    return read_u32_or(scope, option, arguments, "unlimited");
}

}  // namespace nlsh
