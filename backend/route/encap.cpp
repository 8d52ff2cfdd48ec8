#include "backend/route/encap.h"

#include <endian.h>
#include <linux/lwtunnel.h>
#include <linux/mpls.h>
#include <linux/mpls_iptunnel.h>
#include <linux/seg6_iptunnel.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstddef>

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

// By SEG6_IPTUN_MODE_* number.
constexpr std::string_view seg6_modes[] = {"inline", "encap"};

const TunnelFields* fields_of(uint16_t type) {
    if (type == LWTUNNEL_ENCAP_IP) return &tunnel_fields[0];
    if (type == LWTUNNEL_ENCAP_IP6) return &tunnel_fields[1];
    return nullptr;
}

void print_tunnel(Printer& printer, const TunnelFields& fields, Attribute encap) {
    const Attributes<LWTUNNEL_IP_MAX> tunnel(encap);
    printer.string("encap", " encap ", fields.name, " ");
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

// What the kernel sends of a segment routing header: its mode, the header, the segments.
struct Seg6 {
    explicit Seg6(Attribute encap) {
        const Attributes<SEG6_IPTUNNEL_MAX> attributes(encap);
        const Bytes bytes = attributes[SEG6_IPTUNNEL_SRH].bytes();
        constexpr size_t headers = sizeof(int) + sizeof(ipv6_sr_hdr);
        if (bytes.size() < headers) return;
        std::memcpy(&mode, bytes.data(), sizeof mode);
        first_segment = bytes[sizeof mode + offsetof(ipv6_sr_hdr, first_segment)];
        flags = bytes[sizeof mode + offsetof(ipv6_sr_hdr, flags)];
        segments = bytes.subspan(headers);
    }
    size_t count() const { return first_segment + 1U; }
    bool printable() const {
        return mode >= 0 && mode < static_cast<int>(std::size(seg6_modes)) && flags == 0 &&
               segments.size() == count() * sizeof(in6_addr);
    }

    int mode = -1;
    uint8_t first_segment = 0;
    uint8_t flags = 0;
    Bytes segments;
};

void print_seg6(Printer& printer, const Seg6& seg6) {
    printer.string("encap", " encap ", "seg6", " ");
    printer.string("mode", "mode ", seg6_modes[static_cast<size_t>(seg6.mode)], " ");
    printer.text("segs ");
    printer.text(std::to_string(seg6.count()));
    printer.text(" [ ");
    printer.open_array("segs");
    // The last segment comes first in the header.
    for (size_t i = seg6.count(); i-- > 0;) {
        const Bytes segment = seg6.segments.subspan(i * sizeof(in6_addr), sizeof(in6_addr));
        printer.string(Color::inet6, "", "", format_address(AF_INET6, segment), " ");
    }
    printer.close_array();
    printer.text("] ");
}

// A stack of labels, the outermost first; empty: not one that ends where it should.
std::string label_stack(Bytes bytes) {
    std::string text;
    for (size_t at = 0; at + sizeof(uint32_t) <= bytes.size(); at += sizeof(uint32_t)) {
        uint32_t entry;
        std::memcpy(&entry, bytes.data() + at, sizeof entry);
        entry = be32toh(entry);
        if (!text.empty()) text += '/';
        text += std::to_string(entry >> MPLS_LS_LABEL_SHIFT);
        const bool bottom = (entry & MPLS_LS_S_MASK) != 0;
        if (bottom != (at + sizeof entry == bytes.size())) return {};
    }
    return text;
}

void print_mpls(Printer& printer, Attribute encap) {
    const Attributes<MPLS_IPTUNNEL_MAX> mpls(encap);
    printer.string("encap", " encap ", "mpls", " ");
    printer.string("dst", " ", label_stack(mpls[MPLS_IPTUNNEL_DST].bytes()), " ");
    if (const Attribute ttl = mpls[MPLS_IPTUNNEL_TTL]) printer.number("ttl", "ttl ", ttl.u8(), " ");
}

bool can_print_mpls(Attribute encap) {
    const Attribute labels = Attributes<MPLS_IPTUNNEL_MAX>(encap)[MPLS_IPTUNNEL_DST];
    return labels && !label_stack(labels.bytes()).empty();
}

}  // namespace

bool can_print_encap(Attribute type, Attribute encap) {
    if (!type) return true;
    if (const TunnelFields* fields = fields_of(type.u16())) {
        return encap && !Attributes<LWTUNNEL_IP_MAX>(encap)[fields->options];
    }
    if (type.u16() == LWTUNNEL_ENCAP_MPLS) return encap && can_print_mpls(encap);
    return type.u16() == LWTUNNEL_ENCAP_SEG6 && encap && Seg6(encap).printable();
}

void print_encap(Printer& printer, Attribute type, Attribute encap) {
    if (!type || !can_print_encap(type, encap)) return;
    if (const TunnelFields* fields = fields_of(type.u16())) {
        print_tunnel(printer, *fields, encap);
    } else if (type.u16() == LWTUNNEL_ENCAP_MPLS) {
        print_mpls(printer, encap);
    } else {
        print_seg6(printer, Seg6(encap));
    }
}

}  // namespace nlsh
