#include "backend/objects/route/encap.h"

#include <endian.h>
#include <linux/lwtunnel.h>
#include <linux/mpls_iptunnel.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstddef>

#include "backend/objects/route/encap_seg6.h"
#include "backend/objects/route/labels.h"
#include "backend/objects/route/words/encap_rows.h"
#include "backend/render/format.h"

namespace nlsh {

namespace {

const EncapTunnel* tunnel_of(uint16_t type) {
    const auto* const found = std::ranges::find(encap_tunnels, type, &EncapTunnel::number);
    return found == std::end(encap_tunnels) ? nullptr : found;
}

// Prints the rows of a tunnel or of a similar nest. `flags` are the flags that are set.
template <size_t Max>
void print_rows(const EncapOutput& output, std::span<const EncapRow> rows,
                const Attributes<Max>& attributes, uint16_t flags = 0) {
    Printer& printer = output.printer;
    for (const EncapRow& row : rows) {
        const bool bit = row.form == EncapForm::flag;
        const Attribute value = bit ? Attribute() : attributes[row.type];
        const bool there = bit ? (flags & row.type) != 0 : row.form != EncapForm::left && value;
        if (!there) continue;
        const std::string before = with_blank(row.word);
        if (bit) {
            printer.boolean(row.word, before);
        } else if (row.form == EncapForm::id) {
            printer.number(row.word, before, be64toh(value.u64()), " ");
        } else if (row.form == EncapForm::hops || row.form == EncapForm::traffic_class) {
            printer.number(row.word, before, value.u8(), " ");
        } else {
            const uint8_t family = row.form == EncapForm::end4 ? AF_INET : AF_INET6;
            printer.paint(address_color(family));
            printer.string(row.word, before, format_address(family, value.bytes()), " ");
            printer.unpaint(address_color(family));
        }
    }
}

void print_tunnel(const EncapOutput& output, const EncapTunnel& kind, Attribute encap) {
    const Attributes<LWTUNNEL_IP_MAX> tunnel(encap);
    output.begin(kind.name);
    const uint16_t flags = tunnel[kind.flags] ? be16toh(tunnel[kind.flags].u16()) : uint16_t{0};
    print_rows(output, kind.rows, tunnel, flags);
}

void print_mpls(const EncapOutput& output, Attribute encap) {
    Printer& printer = output.printer;
    const Attributes<MPLS_IPTUNNEL_MAX> mpls(encap);
    output.begin("mpls");
    printer.string("dst", " ", label_stack(mpls[MPLS_IPTUNNEL_DST].bytes()), " ");
    print_rows(output, mpls_encap_rows, mpls);
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
    if (const EncapTunnel* tunnel = tunnel_of(type.u16())) {
        return !Attributes<LWTUNNEL_IP_MAX>(encap)[tunnel->options];
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
    if (const EncapTunnel* tunnel = tunnel_of(type.u16())) {
        print_tunnel(output, *tunnel, encap);
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
