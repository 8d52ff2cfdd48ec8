#include "parser/ip/kind/tunnel.h"
#include "parser/ip/refusal.h"

#include <arpa/inet.h>
#include <linux/if_link.h>

#include <algorithm>

namespace nlsh {
namespace {

constexpr uint32_t max_flow_label = 0xfffff;

bool is_multicast(const InetPrefix& address) {
    return address.size == 4 ? (address.bytes[0] & 0xf0) == 0xe0 : address.bytes[0] == 0xff;
}

// Another address of vxlan's was given: it decides the family, of which iproute2 complains first.
bool family_is_settled(const OptionScope& scope) {
    constexpr uint16_t addresses[] = {IFLA_VXLAN_GROUP, IFLA_VXLAN_GROUP6, IFLA_VXLAN_LOCAL,
                                      IFLA_VXLAN_LOCAL6};
    return std::ranges::any_of(addresses, [&](uint16_t each) { return scope.has(each); });
}

Parsed<void> read_inet(OptionScope& scope, const LinkOption& option, Arguments& arguments,
                       bool multicast) {
    const auto word = arguments.value(option.word);
    if (!word) return std::unexpected(word.error());
    if (scope.has(option.attribute) || scope.has(static_cast<uint16_t>(option.parameter))) {
        return declined("link: two addresses");
    }
    const uint8_t family = scope.context().options.family;
    const auto address = parse_address(*word, family);
    // With -4 and -6 too iproute2 takes either family at first.
    if (!address && family != AF_UNSPEC) return std::unexpected(unexplained(address.error()));
    if (!address) return std::unexpected(address.error());
    if (address->size == 0 || is_multicast(*address) != multicast) {
        const char* text = multicast ? "invalid group address" : "invalid remote address";
        if (option.word == "local" || family_is_settled(scope)) {
            return declined("link: bad address");
        }
        return std::unexpected(with_complaint(bad_value("link: bad address").error(), *word, text));
    }
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
    return read_u8(scope, {option.word, option.attribute, read_u8}, arguments);
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
