#include "backend/objects/link/kinds/udp_tunnel.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include "parser/ip/refusal.h"
#include "parser/try.h"

namespace nlsh {
namespace {

constexpr uint32_t max_flow_label = 0xfffff;
constexpr std::string_view fragments[] = {"unset", "set", "inherit"};

}  // namespace

Parsed<void> read_udp_endpoint(OptionScope& scope, const LinkRow& row, Arguments& arguments,
                               bool multicast, uint8_t settled) {
    const auto word = TRY(arguments.value(row.word));
    if (scope.has(row.attribute) || scope.has(static_cast<uint16_t>(row.parameter))) {
        return declined("link: two addresses");
    }
    const uint8_t family = scope.context().options.family;
    // At first iproute2 accepts either family, even with -4 or -6.
    const auto address = parse_address(word, settled);
    if (!address && family != AF_UNSPEC) return std::unexpected(unexplained(address.error()));
    if (!address) return std::unexpected(address.error());
    if (address->size == 0 && settled != AF_UNSPEC) return declined("link: any address");
    if (address->size == 0 || is_multicast(*address) != multicast) {
        const std::string text = fmt::format("invalid {} address", row.word);
        return std::unexpected(
            with_complaint(bad_value("link: bad address").error(), word, text.c_str()));
    }
    if (family != AF_UNSPEC && family != address->family) return declined("link: -4 or -6");
    const bool ipv4 = address->size == 4;
    const auto bytes = address->span();
    return scope.put(ipv4 ? row.attribute : static_cast<uint16_t>(row.parameter),
                     std::string(bytes.begin(), bytes.end()));
}

Parsed<void> read_udp_ttl(OptionScope& scope, const LinkRow& row, Arguments& arguments,
                          std::string inherit) {
    if (arguments.take_if("inherit")) {
        return scope.put(static_cast<uint16_t>(row.parameter), std::move(inherit));
    }
    if (arguments.take_if("auto")) return scope.put_number(row.attribute, uint8_t{0});
    const std::string_view word = arguments.empty() ? "" : arguments.peek();
    auto read = read_u8(scope, {.word = row.word, .attribute = row.attribute}, arguments);
    if (read) return read;
    const char* complaint = parse_u32(word) ? "TTL must be <= 255" : "invalid TTL";
    return std::unexpected(with_complaint(std::move(read.error()), word, complaint));
}

Parsed<void> read_vni(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    constexpr uint32_t max_vni = 0xffffff;
    if (scope.has(row.attribute) && !arguments.empty())
        return garbage(arguments.traits(), "id", arguments.peek());
    return read_u32(scope, {.word = row.word, .attribute = row.attribute, .parameter = max_vni},
                    arguments);
}

Parsed<void> read_tos(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    if (arguments.take_if("inherit")) return scope.put_number(row.attribute, uint8_t{1});
    const auto word = TRY(arguments.value(row.word));
    const auto tos = scope.context().names.value(NameKind::dsfield, word);
    if (!tos) return declined("link: unknown DS field");
    return scope.put_number(row.attribute, static_cast<uint8_t>(*tos));
}

Parsed<void> read_fragment(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    return read_name(scope, {.word = row.word, .attribute = row.attribute, .names = fragments},
                     arguments);
}

Parsed<void> read_flow_label(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    const auto word = TRY(arguments.value(row.word));
    const auto label = TRY(parse_u32(word, max_flow_label));
    return scope.put_number(row.attribute, htonl(label));
}

void print_ttl_inherit(const KindOutput& output, const LinkRow&, Attribute value) {
    if (value.u8() != 0) output.printer.text("ttl inherit ");
}

void print_ttl(const KindOutput& output, const LinkRow& row, Attribute value) {
    if (output.attributes[row.parameter].u8() != 0) return;
    if (value.u8() != 0) return print_number(output, row, value);
    output.printer.text("ttl auto ");
    output.printer.json_number(row.json_key(), 0);
}

void print_tos(const KindOutput& output, const LinkRow& row, Attribute value) {
    const uint8_t tos = value.u8();
    if (tos == 0) return;
    if (tos == 1 && output.printer.text_mode()) {
        output.printer.text("tos inherit ");
    } else {
        print_hex(output, row, value);
    }
}

void print_df(const KindOutput& output, const LinkRow& row, Attribute value) {
    if (value.u8() >= std::size(fragments)) {
        output.context.fall_back("unknown df");
    } else if (value.u8() != 0 || output.printer.json()) {
        output.printer.string(row.json_key(), "df ", fragments[value.u8()], " ");
    }
}

void print_flow_label(const KindOutput& output, const LinkRow& row, Attribute value) {
    const uint32_t label = ntohl(value.u32());
    if (label != 0)
        output.printer.string(row.json_key(), "flowlabel ", fmt::format("{:#x}", label), " ");
}

}  // namespace nlsh
