#include <endian.h>

#include <algorithm>

#include "backend/net/prefix.h"
#include "backend/objects/rule/rule.h"

namespace nlsh {
namespace {

uint8_t as_byte(char byte) {
    return static_cast<uint8_t>(byte);
}

bool prefix_fits(const std::optional<InetPrefix>& wanted, Attribute address, uint8_t bits) {
    if (!wanted || wanted->size == 0 || wanted->bits == 0) return true;
    return address && bits >= wanted->bits && prefix_contains(*wanted, address.bytes());
}

bool name_fits(const std::optional<std::string>& wanted, Attribute name) {
    return !wanted || (name && name.string() == *wanted);
}

// A mark or a mask of 0 matches every rule.
bool mark_fits(const std::optional<FirewallMark>& wanted, const Rule& rule) {
    if (!wanted) return true;
    if (wanted->value != 0 && wanted->value != rule.number(FRA_FWMARK)) return false;
    const uint32_t mask = wanted->mask.value_or(0);
    return mask == 0 || mask == rule.number(FRA_FWMASK);
}

bool uids_fit(const std::optional<Range<uint32_t>>& wanted, Attribute uids) {
    if (!wanted) return true;
    const auto range = uids ? uids.as<fib_rule_uid_range>() : fib_rule_uid_range{};
    return uids && range.start == wanted->first && range.end == wanted->last;
}

bool ports_fit(const std::optional<Ports>& wanted, Attribute ports, Attribute mask) {
    if (!wanted) return true;
    const auto range = ports ? ports.as<fib_rule_port_range>() : fib_rule_port_range{};
    if (!ports || range.start != wanted->first || range.end != wanted->last) return false;
    const uint16_t has = mask ? mask.u16() : UINT16_MAX;  // old kernels have none
    return !wanted->mask || *wanted->mask == has;
}

// An empty mask matches every rule.
bool dscp_fits(const std::optional<Masked<uint8_t>>& wanted, Attribute dscp, Attribute mask) {
    constexpr uint8_t all = 0x3f;
    if (!wanted || wanted->mask == 0) return true;
    const uint8_t has = mask ? mask.u8() : all;
    return dscp && dscp.u8() == wanted->value && wanted->mask.value_or(all) == has;
}

bool flow_label_fits(const std::optional<Masked<uint32_t>>& wanted, Attribute label,
                     Attribute mask) {
    if (!wanted || wanted->mask == 0U) return true;
    return label && mask && be32toh(label.u32()) == wanted->value &&
           be32toh(mask.u32()) == wanted->mask.value_or(whole_flow_label);
}

bool fields_fit(const FieldValues& wanted, const Rule& rule) {
    return std::ranges::all_of(wanted, [&](const auto& field) {
        const auto& [type, bytes] = field;
        const Attribute value = rule.attributes[type];
        return all_zero(bytes) ||
               (value && std::ranges::equal(value.bytes(), bytes, {}, {}, as_byte));
    });
}

bool protocol_fits(const std::optional<uint8_t>& wanted, Attribute protocol) {
    return !wanted || *wanted == 0 || (protocol && protocol.u8() == *wanted);
}

}  // namespace

bool rule_matches(const Rule& rule, const RuleSelectors& filter) {
    const fib_rule_hdr& header = *rule.header;
    const auto& attributes = rule.attributes;
    if (filter.priority && *filter.priority != rule.number(FRA_PRIORITY)) return false;
    if (filter.invert && (header.flags & FIB_RULE_INVERT) == 0) return false;
    if (filter.tos && *filter.tos != header.tos) return false;
    if (filter.l3mdev && !attributes[FRA_L3MDEV]) return false;
    if (filter.table && *filter.table != 0 && *filter.table != rule.table()) return false;
    return prefix_fits(filter.from, attributes[FRA_SRC], header.src_len) &&
           prefix_fits(filter.to, attributes[FRA_DST], header.dst_len) &&
           mark_fits(filter.mark, rule) && name_fits(filter.iif, attributes[FRA_IIFNAME]) &&
           name_fits(filter.oif, attributes[FRA_OIFNAME]) &&
           uids_fit(filter.uids, attributes[FRA_UID_RANGE]) &&
           protocol_fits(filter.ip_protocol, attributes[FRA_IP_PROTO]) &&
           ports_fit(filter.source_ports, attributes[FRA_SPORT_RANGE],
                     attributes[newer::FRA_SPORT_MASK]) &&
           ports_fit(filter.destination_ports, attributes[FRA_DPORT_RANGE],
                     attributes[newer::FRA_DPORT_MASK]) &&
           dscp_fits(filter.dscp, attributes[newer::FRA_DSCP], attributes[newer::FRA_DSCP_MASK]) &&
           flow_label_fits(filter.flow_label, attributes[newer::FRA_FLOWLABEL],
                           attributes[newer::FRA_FLOWLABEL_MASK]) &&
           fields_fit(filter.fields, rule);
}

}  // namespace nlsh
