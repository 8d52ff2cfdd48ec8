#include <endian.h>
#include <fmt/format.h>
#include <sys/socket.h>

#include "backend/objects/rule/rule.h"
#include "backend/objects/rule/words/rows.h"
#include "backend/render/fields.h"
#include "backend/render/format.h"

namespace nlsh {
namespace {

// Prints one rule's fields, each with the blank before it.
class RulePrinter {
  public:
    RulePrinter(Printer& printer, const NameTables& names, const Rule& rule)
        : printer_(printer), names_(names), rule_(rule), numeric_(printer.options().numeric) {}

    bool print(bool deleted);

  private:
    Attribute attribute(uint16_t type) const { return rule_.attributes[type]; }
    std::string name(NameKind kind, uint32_t number) const {
        return format_name(names_, kind, number, numeric_);
    }
    void priority();
    void prefix(uint16_t type, uint8_t bits, const std::string& key, std::string_view before,
                std::string_view none);
    void tos();
    void mark();
    void device(uint16_t type, const char* key, const char* detached_key, uint32_t detached);
    void ports(uint16_t type, uint16_t mask_type, const std::string& key);
    void port_mask(uint16_t type, const std::string& key);
    void dscp();
    void flow_label();
    bool has(Trait trait);
    void numbers();
    bool ip_protocol();
    void table();
    void realms();
    bool action();
    void protocol();

    Printer& printer_;
    const NameTables& names_;
    const Rule& rule_;
    const bool numeric_;
    bool exact_ = true;  // false: a part can't be printed exactly
};

// C's %#x, which prints zero without 0x.
std::string hex(uint32_t number) {
    return number == 0 ? "0" : fmt::format("{:#x}", number);
}

unsigned host_bits(uint8_t family) {
    return family == AF_INET6 ? 128 : 32;
}

void RulePrinter::priority() {
    printer_.number("priority", "", rule_.number(FRA_PRIORITY), ":\t");
    if ((rule_.header->flags & FIB_RULE_INVERT) != 0) printer_.null("not", "not ");
}

// `none`: the value of a missing prefix; empty: it isn't printed.
void RulePrinter::prefix(uint16_t type, uint8_t bits, const std::string& key,
                         std::string_view before, std::string_view none) {
    const uint8_t family = rule_.header->family;
    const Attribute address = attribute(type);
    if (!address && bits == 0) {
        if (!none.empty()) printer_.string(key, before, none, "");
        return;
    }
    if (address) {
        printer_.address(key, before, family, address.bytes(), "");
    } else {
        printer_.string(key, before, "0", "");
    }
    if (!address || bits != host_bits(family)) printer_.number(key + "len", "/", bits, "");
}

void RulePrinter::tos() {
    const uint8_t tos = rule_.header->tos;
    if (tos != 0) printer_.string("tos", " tos ", name(NameKind::dsfield, tos), "");
}

void RulePrinter::mark() {
    const Attribute mask = attribute(FRA_FWMASK);
    if (!attribute(FRA_FWMARK) && !mask) return;
    printer_.string("fwmark", " fwmark ", hex(rule_.number(FRA_FWMARK)), "");
    if (mask && mask.u32() != UINT32_MAX) printer_.string("fwmask", "/", hex(mask.u32()), "");
}

void RulePrinter::device(uint16_t type, const char* key, const char* detached_key,
                         uint32_t detached) {
    if (!attribute(type)) return;
    printer_.string(Color::ifname, key, fmt::format(" {} ", key), attribute(type).string(), "");
    if ((rule_.header->flags & detached) != 0) printer_.null(detached_key, " [detached]");
}

bool RulePrinter::has(Trait trait) {
    const Traits::Answer answer = printer_.options().traits[trait];
    if (answer == Traits::Answer::unknown) exact_ = false;
    return answer == Traits::Answer::yes;
}

// Text has the mask only if it isn't the whole port.
void RulePrinter::port_mask(uint16_t type, const std::string& key) {
    if (!attribute(type) || !has(Trait::rule_port_masks)) return;
    const uint16_t mask = attribute(type).u16();
    printer_.json_string(key + "_mask", hex(mask));
    if (mask != UINT16_MAX) printer_.text("/" + hex(mask));
}

void RulePrinter::ports(uint16_t type, uint16_t mask_type, const std::string& key) {
    if (!attribute(type)) return;
    const auto range = attribute(type).as<fib_rule_port_range>();
    const std::string before = fmt::format(" {} ", key);
    if (range.start == range.end) {
        const Attribute mask = attribute(mask_type);
        const bool masked = mask && mask.u16() != UINT16_MAX && has(Trait::rule_port_masks);
        printer_.json_number(key, range.start);
        printer_.text(before + (masked ? hex(range.start) : fmt::format("{}", range.start)));
        return port_mask(mask_type, key);
    }
    printer_.number(key + "_start", before, range.start, "");
    printer_.number(key + "_end", "-", range.end, "");
}

// False: nlsh doesn't know the protocol's name in /etc/protocols.
bool RulePrinter::ip_protocol() {
    const Attribute protocol = attribute(FRA_IP_PROTO);
    if (!protocol) return true;
    const uint8_t number = protocol.u8();
    if (numeric_) {
        printer_.string("ipproto", " ipproto ", fmt::format("ipproto-{}", number), "");
        return true;
    }
    const std::string_view known = names_[NameKind::ip_protocol].name(number);
    if (!known.empty()) printer_.string("ipproto", " ipproto ", known, "");
    return !known.empty();
}

void RulePrinter::table() {
    const uint32_t table = rule_.table();
    if (table == 0) return;
    printer_.string("table", " lookup ", name(NameKind::table, table), "");
    if (const Attribute length = attribute(FRA_SUPPRESS_PREFIXLEN);
        length && length.as<int32_t>() != -1) {
        printer_.signed_number("suppress_prefixlen", " suppress_prefixlength ",
                               length.as<int32_t>(), "");
    }
    if (const Attribute group = attribute(FRA_SUPPRESS_IFGROUP);
        group && group.as<int32_t>() != -1) {
        printer_.string("suppress_ifgroup", " suppress_ifgroup ",
                        name(NameKind::group, group.u32()), "");
    }
}

void RulePrinter::realms() {
    if (!attribute(FRA_FLOW)) return;
    const uint32_t from = rule_.number(FRA_FLOW) >> 16;
    const uint32_t to = rule_.number(FRA_FLOW) & UINT16_MAX;
    printer_.text(" realms ");
    if (from != 0) printer_.string("flow_from", "", name(NameKind::realm, from), "/");
    printer_.string("flow_to", "", name(NameKind::realm, to), "");
}

// Returns false for an unknown action.
bool RulePrinter::action() {
    switch (const uint8_t action = rule_.header->action) {
        case FR_ACT_TO_TBL:
            return true;
        case FR_ACT_GOTO:
            if (const Attribute target = attribute(FRA_GOTO)) {
                printer_.number("goto", " goto ", target.u32(), "");
            } else {
                printer_.string("goto", " goto ", "none", "");
            }
            if ((rule_.header->flags & FIB_RULE_UNRESOLVED) != 0) {
                printer_.null("unresolved", " [unresolved]");
            }
            return true;
        case FR_ACT_NOP:
            printer_.null("nop", " nop");
            return true;
        case FR_ACT_BLACKHOLE:
        case FR_ACT_UNREACHABLE:
        case FR_ACT_PROHIBIT: {
            const std::string_view words[] = {"blackhole", "unreachable", "prohibit"};
            printer_.string("action", " ",
                            numeric_ ? fmt::format("{}", action)
                                     : std::string(words[action - FR_ACT_BLACKHOLE]),
                            "");
            return true;
        }
        case RTN_NAT:
            printer_.null("masquerade", " masquerade");
            return true;
        default:
            return false;
    }
}

void RulePrinter::protocol() {
    const Attribute attribute = this->attribute(FRA_PROTOCOL);
    if (!attribute) return;
    const uint8_t protocol = attribute.u8();
    const bool usual = protocol == RTPROT_UNSPEC || protocol == RTPROT_KERNEL;
    if (usual && printer_.options().details == 0) return;
    printer_.string("protocol", " proto ", name(NameKind::protocol, protocol), "");
}

// Prints the name of the TOS with this code point, or its number. With a partial mask, text has
// both as numbers.
void RulePrinter::dscp() {
    const Attribute dscp = attribute(newer::FRA_DSCP);
    if (!dscp || !has(Trait::rule_dscp)) return;
    constexpr uint8_t whole = 0x3f;
    const Attribute mask = attribute(newer::FRA_DSCP_MASK);
    const auto tos = static_cast<uint8_t>(dscp.u8() << 2);
    const std::string_view known = numeric_ ? "" : names_[NameKind::dsfield].name(tos);
    // iproute2 prints "0" until it has read its name table.
    if (dscp.u8() == 0 && !numeric_) exact_ = false;
    const std::string text = known.empty() ? fmt::format("{}", dscp.u8()) : std::string(known);
    if (mask && mask.u8() != whole) {
        printer_.json_string("dscp", text);
        printer_.text(fmt::format(" dscp {}/{}", hex(dscp.u8()), hex(mask.u8())));
    } else {
        printer_.string("dscp", " dscp ", text, "");
    }
    if (mask) printer_.json_string("dscp_mask", hex(mask.u8()));
}

void RulePrinter::flow_label() {
    const Attribute label = attribute(newer::FRA_FLOWLABEL);
    if (!label || !has(Trait::rule_flowlabel)) return;
    constexpr uint32_t whole = 0xfffff;
    const Attribute mask = attribute(newer::FRA_FLOWLABEL_MASK);
    printer_.string("flowlabel", " flowlabel ", hex(be32toh(label.u32())), "");
    if (!mask) return;
    const uint32_t bits = be32toh(mask.u32());
    printer_.json_string("flowlabel_mask", hex(bits));
    if (bits != whole) printer_.text("/" + hex(bits));
}

void RulePrinter::numbers() {
    ports(FRA_SPORT_RANGE, newer::FRA_SPORT_MASK, "sport");
    ports(FRA_DPORT_RANGE, newer::FRA_DPORT_MASK, "dport");
    for (const FieldRow& row : rule_fields) {
        const Attribute value = attribute(row.attribute);
        if (value && (row.since == Trait::always || has(row.since)))
            print_field(printer_, row, value, FieldBlank::before);
    }
}

bool RulePrinter::print(bool deleted) {
    printer_.open_object();
    if (deleted) printer_.boolean("deleted", "Deleted ");
    priority();
    prefix(FRA_SRC, rule_.header->src_len, "src", "from ", "all");
    prefix(FRA_DST, rule_.header->dst_len, "dst", " to ", {});
    tos();
    mark();
    device(FRA_IIFNAME, "iif", "iif_detached", FIB_RULE_IIF_DETACHED);
    device(FRA_OIFNAME, "oif", "oif_detached", FIB_RULE_OIF_DETACHED);
    if (attribute(FRA_L3MDEV)) printer_.null("l3mdev", " lookup [l3mdev-table]");
    if (const Attribute uids = attribute(FRA_UID_RANGE)) {
        const auto range = uids.as<fib_rule_uid_range>();
        printer_.number("uid_start", " uidrange ", range.start, "");
        printer_.number("uid_end", "-", range.end, "");
    }
    exact_ = ip_protocol();
    numbers();
    table();
    realms();
    exact_ = action() && exact_;
    protocol();
    dscp();
    flow_label();
    printer_.text("\n");
    printer_.close_object();
    return exact_;
}

}  // namespace

bool print_rule(Printer& printer, const NameTables& names, const Rule& rule, bool deleted) {
    return RulePrinter(printer, names, rule).print(deleted);
}

}  // namespace nlsh
