#include "backend/objects/route/filter.h"

#include <sys/socket.h>

#include <algorithm>
#include <cstring>

namespace nlsh {
namespace {

// Whether the first `bits` bits are equal. Missing bytes count as zeros.
bool same_bits(Bytes bytes, const InetPrefix& prefix, unsigned bits) {
    for (unsigned i = 0; i * 8 < bits; ++i) {
        const uint8_t byte = i < bytes.size() ? bytes[i] : uint8_t{0};
        const unsigned rest = bits - i * 8;
        const auto mask = static_cast<uint8_t>(rest >= 8 ? 0xff : 0xff00U >> rest);
        if (((byte ^ prefix.bytes[i]) & mask) != 0) return false;
    }
    return true;
}

// "any" and "all" without -4 or -6 filter nothing.
bool asks(const std::optional<InetPrefix>& prefix) {
    return prefix && (prefix->family != AF_UNSPEC || prefix->has_bits);
}

bool passes_prefix(const PrefixFilter& filter, uint8_t family, Attribute address, uint8_t bits) {
    if (asks(filter.root)) {
        const InetPrefix& root = *filter.root;
        if (root.family != AF_UNSPEC && root.family != family) return false;
        if (root.bits > bits || !same_bits(address ? address.bytes() : Bytes{}, root, root.bits)) {
            return false;
        }
    }
    if (asks(filter.match)) {
        const InetPrefix& match = *filter.match;
        if (match.family != AF_UNSPEC && match.family != family) return false;
        if (match.bits < bits || !same_bits(address ? address.bytes() : Bytes{}, match, bits)) {
            return false;
        }
    }
    return true;
}

// Whether a nexthop uses the device.
bool has_hop(Attribute hops, uint32_t ifindex) {
    Bytes rest = hops.bytes();
    while (rest.size() >= sizeof(rtnexthop)) {
        rtnexthop hop;
        std::memcpy(&hop, rest.data(), sizeof hop);
        if (hop.rtnh_len < sizeof hop || hop.rtnh_len > rest.size()) break;
        if (static_cast<uint32_t>(hop.rtnh_ifindex) == ifindex) return true;
        rest = rest.subspan(std::min<size_t>(RTNH_ALIGN(hop.rtnh_len), rest.size()));
    }
    return false;
}

// Without a wanted value, every value passes.
template <typename T>
bool passes_number(const std::optional<T>& wanted, T value) {
    return !wanted || *wanted == value;
}

}  // namespace

// Old kernels had a single IPv6 table for all routes. So iproute2 tells tables apart by the routes'
// type until it sees a route of another table.
bool RouteFilter::passes_table(const Route& route) {
    const bool ipv6 = route.header.rtm_family == AF_INET6;
    const uint32_t table = route.table();
    if (ipv6 && table != RT_TABLE_MAIN) several_tables_ = true;
    if (table_ == RT_TABLE_UNSPEC) return true;
    if (!ipv6 || several_tables_) return table == table_;
    const bool local = route.header.rtm_type == RTN_LOCAL;
    return (table_ == RT_TABLE_LOCAL && local) || (table_ == RT_TABLE_MAIN && !local);
}

bool RouteFilter::passes_numbers(const Route& route) const {
    const rtmsg& header = route.header;
    const bool type_passes =
        show_.type_mask == 0 || (header.rtm_type < 32 && (show_.type_mask >> header.rtm_type & 1));
    return type_passes && passes_number(show_.protocol, header.rtm_protocol) &&
           passes_number(show_.scope, header.rtm_scope) &&
           passes_number(show_.tos, header.rtm_tos) &&
           passes_number(show_.metric, route[RTA_PRIORITY] ? route[RTA_PRIORITY].u32() : 0U) &&
           passes_number(show_.mark, route[RTA_MARK] ? route[RTA_MARK].u32() : 0U);
}

bool RouteFilter::passes_gateway(const Route& route) const {
    uint8_t family = route.header.rtm_family;
    if (const auto& source = show_.preferred_source) {
        const Bytes bytes = route[RTA_PREFSRC] ? route[RTA_PREFSRC].bytes() : Bytes{};
        if (source->family != family || !same_bits(bytes, *source, source->bits)) return false;
    }
    if (const auto& via = show_.via) {
        Bytes bytes = route[RTA_GATEWAY] ? route[RTA_GATEWAY].bytes() : Bytes{};
        if (route[RTA_VIA] && route[RTA_VIA].size() >= sizeof(rtvia)) {
            family = static_cast<uint8_t>(route[RTA_VIA].u16());
            bytes = route[RTA_VIA].bytes().subspan(sizeof(rtvia));
        }
        if (via->family != family || !same_bits(bytes, *via, via->bits)) return false;
    }
    return true;
}

bool RouteFilter::passes_devices(const Route& route) const {
    if (oif_ != 0 && !(route[RTA_OIF] && route[RTA_OIF].u32() == oif_) &&
        !(hops_ && has_hop(route[RTA_MULTIPATH], oif_))) {
        return false;
    }
    return iif_ == 0 || (route[RTA_IIF] && route[RTA_IIF].u32() == iif_);
}

bool RouteFilter::passes(const Route& route) {
    const rtmsg& header = route.header;
    if (show_.cloned != ((header.rtm_flags & RTM_F_CLONED) != 0)) return false;
    if (!passes_table(route)) return false;
    if (show_.family != AF_UNSPEC && show_.family != header.rtm_family) return false;
    return passes_numbers(route) &&
           passes_prefix(show_.destination, header.rtm_family, route[RTA_DST],
                         header.rtm_dst_len) &&
           passes_prefix(show_.source, header.rtm_family, route[RTA_SRC], header.rtm_src_len) &&
           passes_gateway(route) && passes_devices(route);
}

}  // namespace nlsh
