#include "backend/objects/route/encap.h"

#include <endian.h>
#include <linux/lwtunnel.h>
#include <linux/mpls_iptunnel.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstddef>

#include "backend/objects/route/encap_seg6.h"
#include "backend/objects/route/labels.h"
#include "backend/render/format.h"

namespace nlsh {

namespace {

// An IP tunnel's attributes; those of IPv6 have other numbers and words.
struct TunnelFields {
    std::string_view name;
    uint8_t family;
    uint16_t id, source, destination, hops, traffic_class, flags, options;
    std::string_view hops_word, traffic_class_word;
};

constexpr TunnelFields tunnel_fields[] = {
    {"ip", AF_INET, LWTUNNEL_IP_ID, LWTUNNEL_IP_SRC, LWTUNNEL_IP_DST, LWTUNNEL_IP_TTL,
     LWTUNNEL_IP_TOS, LWTUNNEL_IP_FLAGS, LWTUNNEL_IP_OPTS, "ttl", "tos"},
    {"ip6", AF_INET6, LWTUNNEL_IP6_ID, LWTUNNEL_IP6_SRC, LWTUNNEL_IP6_DST, LWTUNNEL_IP6_HOPLIMIT,
     LWTUNNEL_IP6_TC, LWTUNNEL_IP6_FLAGS, LWTUNNEL_IP6_OPTS, "hoplimit", "tc"},
};

struct Flag {
    uint16_t bit;  // TUNNEL_*, in <linux/if_tunnel.h>
    std::string_view key;
    std::string_view text;
};
constexpr Flag tunnel_flags[] = {
    {0x04, "key", "key "}, {0x01, "csum", "csum "}, {0x08, "seq", "seq "}};

const TunnelFields* fields_of(uint16_t type) {
    if (type == LWTUNNEL_ENCAP_IP) return &tunnel_fields[0];
    if (type == LWTUNNEL_ENCAP_IP6) return &tunnel_fields[1];
    return nullptr;
}

void print_tunnel(const EncapOutput& output, const TunnelFields& fields, Attribute encap) {
    Printer& printer = output.printer;
    const Attributes<LWTUNNEL_IP_MAX> tunnel(encap);
    output.begin(fields.name);
    const auto address = [&](std::string_view key, std::string_view before, uint16_t type) {
        if (!tunnel[type]) return;
        printer.paint(address_color(fields.family));
        printer.string(key, before, format_address(fields.family, tunnel[type].bytes()), " ");
        printer.unpaint(address_color(fields.family));
    };
    const auto number = [&](std::string_view key, uint16_t type) {
        if (!tunnel[type]) return;
        printer.text(key);
        printer.number(key, " ", tunnel[type].u8(), " ");
    };
    if (tunnel[fields.id]) printer.number("id", "id ", be64toh(tunnel[fields.id].u64()), " ");
    address("src", "src ", fields.source);
    address("dst", "dst ", fields.destination);
    number(fields.hops_word, fields.hops);
    number(fields.traffic_class_word, fields.traffic_class);
    const uint16_t flags = tunnel[fields.flags] ? be16toh(tunnel[fields.flags].u16()) : uint16_t{0};
    for (const Flag& flag : tunnel_flags) {
        if ((flags & flag.bit) != 0) printer.boolean(flag.key, flag.text);
    }
}

void print_mpls(const EncapOutput& output, Attribute encap) {
    Printer& printer = output.printer;
    const Attributes<MPLS_IPTUNNEL_MAX> mpls(encap);
    output.begin("mpls");
    printer.string("dst", " ", label_stack(mpls[MPLS_IPTUNNEL_DST].bytes()), " ");
    if (const Attribute ttl = mpls[MPLS_IPTUNNEL_TTL]) printer.number("ttl", "ttl ", ttl.u8(), " ");
}

bool can_print_mpls(Attribute encap) {
    const Attribute labels = Attributes<MPLS_IPTUNNEL_MAX>(encap)[MPLS_IPTUNNEL_DST];
    return labels && !label_stack(labels.bytes()).empty();
}

}  // namespace

void EncapOutput::begin(std::string_view type) const {
    const bool object = context.has(printer.options(), Trait::encap_as_object);
    if (object) printer.open_object("encap");
    printer.string(object ? "encap_type" : "encap", " encap ", type, " ");
}

bool can_print_encap(Attribute type, Attribute encap) {
    if (!type) return true;
    if (!encap) return false;
    if (const TunnelFields* fields = fields_of(type.u16())) {
        return !Attributes<LWTUNNEL_IP_MAX>(encap)[fields->options];
    }
    switch (type.u16()) {
        case LWTUNNEL_ENCAP_MPLS:
            return can_print_mpls(encap);
        case LWTUNNEL_ENCAP_SEG6:
            return can_print_seg6(encap);
        case LWTUNNEL_ENCAP_SEG6_LOCAL:
            return can_print_seg6local(encap);
        default:
            return false;
    }
}

void print_encap(const EncapOutput& output, Attribute type, Attribute encap) {
    if (!type || !can_print_encap(type, encap)) return;
    if (const TunnelFields* fields = fields_of(type.u16())) {
        print_tunnel(output, *fields, encap);
    } else if (type.u16() == LWTUNNEL_ENCAP_MPLS) {
        print_mpls(output, encap);
    } else if (type.u16() == LWTUNNEL_ENCAP_SEG6) {
        print_seg6(output, encap);
    } else {
        print_seg6local(output, encap);
    }
    if (output.context.has(output.printer.options(), Trait::encap_as_object)) {
        output.printer.close_object();
    }
}

}  // namespace nlsh
