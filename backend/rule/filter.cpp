#include <endian.h>

#include "backend/net/prefix.h"
#include "backend/rule/rule.h"

namespace nlsh {

namespace {

bool prefix_fits(const std::optional<InetPrefix>& wanted, Attribute address, uint8_t bits) {
    if (!wanted || wanted->size == 0 || wanted->bits == 0) return true;
    return address && bits >= wanted->bits && prefix_contains(*wanted, address.bytes());
}

bool name_fits(const std::optional<std::string>& wanted, Attribute name) {
    return !wanted || (name && name.string() == *wanted);
}

// A zero matches every rule.
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

bool ports_fit(const std::optional<Range<uint16_t>>& wanted, Attribute ports) {
    if (!wanted || *wanted == Range<uint16_t>{0, 0}) return true;
    const auto range = ports ? ports.as<fib_rule_port_range>() : fib_rule_port_range{};
    return ports && range.start == wanted->first && range.end == wanted->last;
}

bool tunnel_fits(const std::optional<uint64_t>& wanted, Attribute tunnel) {
    return !wanted || *wanted == 0 || (tunnel && be64toh(tunnel.u64()) == *wanted);
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
           ports_fit(filter.source_ports, attributes[FRA_SPORT_RANGE]) &&
           ports_fit(filter.destination_ports, attributes[FRA_DPORT_RANGE]) &&
           tunnel_fits(filter.tunnel, attributes[FRA_TUN_ID]);
}

}  // namespace nlsh
