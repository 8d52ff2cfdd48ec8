#include "backend/objects/route/encap.h"

#include <endian.h>
#include <fmt/format.h>
#include <linux/lwtunnel.h>
#include <linux/mpls.h>
#include <linux/mpls_iptunnel.h>
#include <linux/seg6.h>
#include <linux/seg6_iptunnel.h>
#include <linux/seg6_local.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstddef>

#include "backend/objects/route/words/encap_rows.h"
#include "backend/objects/route/words/seg6_names.h"
#include "backend/render/format.h"
#include "backend/render/numbers.h"
#include "parser/ip/newer_kernel.h"

namespace nlsh {
namespace {

// A segment routing header (RFC 8754, 2): a view into its message.
class Header {
  public:
    explicit Header(Bytes bytes) {
        if (bytes.size() < sizeof(ipv6_sr_hdr)) return;
        first_segment_ = bytes[offsetof(ipv6_sr_hdr, first_segment)];
        flags_ = bytes[offsetof(ipv6_sr_hdr, flags)];
        rest_ = bytes.subspan(sizeof(ipv6_sr_hdr));
        printable_ = (flags_ & ~SR6_FLAG1_HMAC) == 0 &&
                     rest_.size() == count() * sizeof(in6_addr) + (hmac() ? hmac_size : 0);
    }
    bool printable() const { return printable_; }
    void print(Printer& printer) const;

  private:
    static constexpr size_t hmac_size = 40;  // with its TLV header
    size_t count() const { return first_segment_ + 1U; }
    bool hmac() const { return (flags_ & SR6_FLAG1_HMAC) != 0; }

    uint8_t first_segment_ = 0;
    uint8_t flags_ = 0;
    Bytes rest_;
    bool printable_ = false;
};

void Header::print(Printer& printer) const {
    printer.text(fmt::format("segs {} [ ", count()));
    printer.open_array("segs");
    // The header begins with the last segment.
    for (size_t i = count(); i-- > 0;) {
        const Bytes segment = rest_.subspan(i * sizeof(in6_addr), sizeof(in6_addr));
        printer.string(Color::inet6, "", "", format_address(AF_INET6, segment), " ");
    }
    printer.close_array();
    printer.text("] ");
    if (!hmac()) return;
    uint32_t key;
    std::memcpy(&key, rest_.data() + count() * sizeof(in6_addr) + sizeof key, sizeof key);
    key = be32toh(key);
    printer.json_string("hmac", fmt::format("{:#x}", key));
    printer.text(fmt::format("hmac {:X} ", key));
}

// A tunnel as the kernel describes it: mode and header.
struct Tunnel {
    explicit Tunnel(Attribute encap) {
        const Attributes<newer::seg6_max> attributes(encap);
        if (attributes[newer::SEG6_IPTUNNEL_SRC] || attributes[newer::seg6_table]) return;
        const Bytes bytes = attributes[SEG6_IPTUNNEL_SRH].bytes();
        if (bytes.size() < sizeof mode) return;
        std::memcpy(&mode, bytes.data(), sizeof mode);
        header = Header(bytes.subspan(sizeof mode));
    }
    bool printable() const {
        return mode >= 0 && mode < static_cast<int>(std::size(seg6_modes)) && header.printable();
    }

    int mode = -1;
    Header header{{}};
};

using Local = Attributes<SEG6_LOCAL_MAX>;

void print_counters(Printer& printer, Attribute nest) {
    const Attributes<SEG6_LOCAL_CNT_MAX> counters(nest);
    printer.open_object("stats64");
    print_number(printer, counters[SEG6_LOCAL_CNT_PACKETS], "packets", "packets ");
    print_number(printer, counters[SEG6_LOCAL_CNT_BYTES], "bytes", "bytes ");
    print_number(printer, counters[SEG6_LOCAL_CNT_ERRORS], "errors", "errors ");
    printer.close_object();
}

void print_flavors(Printer& printer, Attribute nest) {
    const Attributes<SEG6_LOCAL_FLV_MAX> flavor(nest);
    const uint32_t operations = flavor[SEG6_LOCAL_FLV_OPERATION].u32();
    std::string_view before = "flavors ";
    printer.open_array("flavors");
    for (size_t i = 1; i < std::size(seg6_flavors); ++i) {
        if ((operations >> i & 1) == 0) continue;
        printer.string("", before, seg6_flavors[i], "");
        before = ",";
    }
    printer.close_array();
    printer.text(" ");
    print_number(printer, flavor[SEG6_LOCAL_FLV_LCBLOCK_BITS], "lblen", "lblen ");
    print_number(printer, flavor[SEG6_LOCAL_FLV_LCNODE_FN_BITS], "nflen", "nflen ");
}

bool known_flavors(Attribute nest) {
    const Attributes<SEG6_LOCAL_FLV_MAX> flavor(nest);
    return flavor[SEG6_LOCAL_FLV_OPERATION] && (flavor[SEG6_LOCAL_FLV_OPERATION].u32() & 1) == 0 &&
           flavor[SEG6_LOCAL_FLV_OPERATION].u32() >> std::size(seg6_flavors) == 0;
}

void print_value(const EncapOutput& output, const EncapRow& row, Attribute value) {
    Printer& printer = output.printer;
    const std::string before = with_blank(row.word);
    const auto text = [&](std::string_view bytes) { printer.string(row.word, before, bytes, " "); };
    switch (row.form) {
        case EncapForm::action:
            return text(seg6_actions[value.u32()]);
        case EncapForm::header:
            printer.open_object(row.word);
            Header(value.bytes()).print(printer);
            return printer.close_object();
        case EncapForm::table:
            return text(format_name(output.context.names, NameKind::table, value.u32(),
                                    printer.options().numeric));
        case EncapForm::hop4:
            return text(format_address(AF_INET, value.bytes()));
        case EncapForm::hop6:
            return text(format_address(AF_INET6, value.bytes()));
        case EncapForm::device:
            return text(output.devices.name(value.u32()));
        case EncapForm::counters:
            if (printer.options().statistics > 0) print_counters(printer, value);
            return;
        case EncapForm::flavors:
            return print_flavors(printer, value);
        default:
            return;
    }
}

bool can_print_seg6(Attribute encap) {
    return Tunnel(encap).printable();
}

void print_seg6(const EncapOutput& output, Attribute encap) {
    const Tunnel tunnel(encap);
    Printer& printer = output.printer;
    output.begin("seg6");
    if (tunnel.mode >= SEG6_IPTUN_MODE_ENCAP_RED)
        output.context.needs(printer.options(), Trait::words_of_6_1);
    printer.string("mode", "mode ", seg6_modes[static_cast<size_t>(tunnel.mode)], " ");
    tunnel.header.print(printer);
}

bool can_print_seg6local(Attribute encap) {
    const Local local(encap);
    const Attribute action = local[SEG6_LOCAL_ACTION];
    // Actions with a BPF program fall back.
    const uint32_t number = action.u32();
    if (number == 0 || number >= std::size(seg6_actions) || number == SEG6_LOCAL_ACTION_END_BPF) {
        return false;
    }
    if (const Attribute header = local[SEG6_LOCAL_SRH];
        header && !Header(header.bytes()).printable())
        return false;
    return !local[SEG6_LOCAL_FLAVORS] || known_flavors(local[SEG6_LOCAL_FLAVORS]);
}

void print_seg6local(const EncapOutput& output, Attribute encap) {
    const Local local(encap);
    output.begin("seg6local");
    for (const EncapRow& row : seg6local_rows)
        if (local[row.type]) print_value(output, row, local[row.type]);
}

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

// The types other than tunnels.
struct Kind {
    uint16_t number;  // LWTUNNEL_ENCAP_*
    bool (*can_print)(Attribute encap);
    void (*print)(const EncapOutput&, Attribute encap);
};
constexpr Kind kinds[] = {
    {LWTUNNEL_ENCAP_MPLS, can_print_mpls, print_mpls},
    {LWTUNNEL_ENCAP_SEG6, can_print_seg6, print_seg6},
    {LWTUNNEL_ENCAP_SEG6_LOCAL, can_print_seg6local, print_seg6local},
};

}  // namespace

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
    const auto* const kind = std::ranges::find(kinds, type.u16(), &Kind::number);
    return kind != std::end(kinds) && kind->can_print(encap);
}

void print_encap(const EncapOutput& output, Attribute type, Attribute encap) {
    if (!type || !can_print_encap(type, encap)) return;
    if (const EncapTunnel* tunnel = tunnel_of(type.u16())) {
        print_tunnel(output, *tunnel, encap);
    } else {
        std::ranges::find(kinds, type.u16(), &Kind::number)->print(output, encap);
    }
    if (output.context.has(output.printer.options(), Trait::encap_as_object)) {
        output.printer.close_object();
    }
}

}  // namespace nlsh
