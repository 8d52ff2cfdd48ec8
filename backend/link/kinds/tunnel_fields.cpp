#include "backend/link/kinds/tunnel_fields.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <linux/if_tunnel.h>
#include <linux/ip6_tunnel.h>

#include <algorithm>

namespace nlsh {
namespace {

bool is_zero(Attribute value) {
    return std::ranges::all_of(value.bytes(), [](uint8_t byte) { return byte == 0; });
}

}  // namespace

void print_ttl_inherit(const KindOutput& output, const Field&, Attribute value) {
    if (value.u8() != 0) output.printer.text("ttl inherit ");
}

void print_tos(const KindOutput& output, const Field& field, Attribute value) {
    const uint8_t tos = value.u8();
    if (tos == 0) return;
    if (tos == 1 && output.printer.text_mode()) {
        output.printer.text("tos inherit ");
    } else {
        print_hex(output, field, value);
    }
}

void print_df(const KindOutput& output, const Field& field, Attribute value) {
    static constexpr std::string_view words[] = {"unset", "set", "inherit"};
    if (value.u8() >= std::size(words)) {
        output.context.hand_over("unknown df");
    } else if (value.u8() != 0 || output.printer.json()) {
        output.printer.string(field.key, "df ", words[value.u8()], " ");
    }
}

void print_flow_label(const KindOutput& output, const Field& field, Attribute value) {
    const uint32_t label = ntohl(value.u32());
    if (label != 0)
        output.printer.string(field.key, "flowlabel ", fmt::format("{:#x}", label), " ");
}

void print_device_if_set(const KindOutput& output, const Field& field, Attribute value) {
    if (value.u32() != 0) print_device(output, field, value);
}

void print_endpoint(const KindOutput& output, const Field& field, Attribute value) {
    if (is_zero(value)) {
        output.printer.string(field.key, fmt::format("{} ", field.label), "any", " ");
    } else {
        print_inet(output, field, value);
    }
}

void print_tunnel_ttl(const KindOutput& output, const Field& field, Attribute value) {
    if (value.u8() != 0) return print_number(output, field, value);
    output.printer.text(fmt::format("{} inherit ", field.label));
    output.printer.json_number(field.key, 0);
}

void print_hex_if_set(const KindOutput& output, const Field& field, Attribute value) {
    if (value.u32() != 0) print_hex(output, field, value);
}

void print_inet_if_set(const KindOutput& output, const Field& field, Attribute value) {
    if (!is_zero(value)) print_inet(output, field, value);
}

void print_encapsulation(const KindOutput& output, const Field&, Attribute value) {
    static constexpr std::string_view types[] = {"none", "fou", "gue"};
    if (value.u16() == TUNNEL_ENCAP_NONE) return;
    if (value.u16() >= std::size(types)) {
        output.context.hand_over("unknown UDP encapsulation");
        return;
    }
    Printer& printer = output.printer;
    const auto next = [&](unsigned places) {
        return output.attributes[static_cast<size_t>(value.type()) + places].u16();
    };
    const uint16_t flags = next(1);
    const uint16_t source = ntohs(next(2));
    printer.open_object("encap");
    printer.string("type", "encap ", types[value.u16()], " ");
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

void print_traffic_class(const KindOutput& output, uint32_t flags, Attribute value) {
    if ((flags & IP6_TNL_F_USE_ORIG_TCLASS) != 0) {
        output.printer.boolean("ip6_tnl_f_use_orig_tclass", "tclass inherit ");
        return;
    }
    const uint32_t info = ntohl(value.u32());
    output.printer.string("tclass", "tclass ", fmt::format("0x{:02x}", info >> 20 & 0xff), " ");
}

void print_tunnel_flow_label(const KindOutput& output, uint32_t flags, Attribute value) {
    if ((flags & IP6_TNL_F_USE_ORIG_FLOWLABEL) != 0) {
        output.printer.boolean("ip6_tnl_f_use_orig_flowlabel", "flowlabel inherit ");
        return;
    }
    const uint32_t info = ntohl(value.u32());
    output.printer.string("flowlabel", "flowlabel ", fmt::format("0x{:05x}", info & 0xfffff), " ");
}

void print_encap_limit(const KindOutput& output, uint32_t flags, Attribute value) {
    if ((flags & IP6_TNL_F_MIP6_DEV) != 0) output.context.hand_over("Mobile IPv6 tunnel");
    if ((flags & IP6_TNL_F_IGN_ENCAP_LIMIT) != 0) {
        output.printer.boolean("ip6_tnl_f_ign_encap_limit", "encaplimit none ");
    } else {
        output.printer.number("encap_limit", "encaplimit ", value.u8(), " ");
    }
}

}  // namespace nlsh
