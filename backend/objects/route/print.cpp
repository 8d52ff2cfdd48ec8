#include "backend/objects/route/print.h"

#include <sys/socket.h>

#include "backend/objects/route/encap.h"
#include "backend/objects/route/words/rows.h"
#include "backend/render/address_text.h"
#include "backend/render/fields.h"
#include "backend/render/format.h"
#include "backend/render/numbers.h"
#include "backend/render/route_flags.h"

namespace nlsh {
namespace {

// By RTN_* number.
constexpr std::string_view type_names[] = {"none",     "unicast",   "local",     "broadcast",
                                           "anycast",  "multicast", "blackhole", "unreachable",
                                           "prohibit", "throw",     "nat",       "xresolve"};

constexpr uint8_t host_bits(uint8_t family) {
    return family == AF_INET6 ? 128 : family == AF_MPLS ? 20 : 32;
}

// A filter for a single address hides the field.
bool hides(const std::optional<InetPrefix>& filter, uint8_t family) {
    return filter && filter->bits == host_bits(family);
}

// Whether a route holds something that only iproute2 prints.
bool is_exotic(const Route& route) {
    const auto is_stack = [&](uint16_t type) {
        return !route[type] || !label_stack(route[type].bytes()).empty();
    };
    const bool labels = route.header.rtm_family == AF_MPLS;
    return !can_print_encap(route[RTA_ENCAP_TYPE], route[RTA_ENCAP]) ||
           (labels ? !is_stack(RTA_DST) || !is_stack(RTA_NEWDST)
                   : route[RTA_NEWDST] || route[RTA_TTL_PROPAGATE]);
}

void append_address(AddressText& text, uint8_t family, Attribute address) {
    if (family == AF_MPLS) return text.append(label_stack(address.bytes()));
    text.append(family, address.bytes());
}

}  // namespace

bool RoutePrinter::printable(const Route& route) {
    const rtmsg& header = route.header;
    if (header.rtm_family != AF_INET && header.rtm_family != AF_INET6 &&
        header.rtm_family != AF_MPLS) {
        return !context_.fall_back("a route of another family");
    }
    if (is_exotic(route)) {
        return !context_.fall_back("a route with encap");
    }
    if (header.rtm_type >= std::size(type_names)) return !context_.fall_back("type of a route");
    const bool cloned = (header.rtm_flags & RTM_F_CLONED) != 0;
    if (cloned && (header.rtm_family == AF_INET6 || route[RTA_MULTIPATH])) {
        return !context_.fall_back("a cached route");
    }
    if (route[RTA_CACHEINFO] && route[RTA_CACHEINFO].as<rta_cacheinfo>().rta_error != 0) {
        return !context_.fall_back("a route with an error");
    }
    return true;
}

void RoutePrinter::print_name(std::string_view key, std::string_view before, NameKind kind,
                              uint32_t number) {
    const std::string_view name =
        printer_.options().numeric ? std::string_view{} : context_.names[kind].name(number);
    if (!name.empty()) return printer_.string(key, before, name, " ");
    printer_.string(key, before, format_name(context_.names, kind, number, true), " ");
}

void RoutePrinter::print_device(Color color, uint32_t ifindex) {
    printer_.string(color, "dev", "dev ", devices_.name(ifindex), " ");
}

void RoutePrinter::print_prefix(std::string_view key, std::string_view before, uint8_t family,
                                Attribute address, uint8_t bits) {
    AddressText text;
    if (address) {
        append_address(text, family, address);
        if (bits != host_bits(family)) text.append_length(bits);
    } else {
        text.append("0");
        text.append_length(bits);
    }
    if (text.cut()) context_.fall_back("an address that is too long");
    printer_.paint(address_color(family));  // "from " too
    printer_.string(key, before, text.view(), " ");
    printer_.unpaint(address_color(family));
}

void RoutePrinter::print_prefixes(const Route& route) {
    const rtmsg& header = route.header;
    if (header.rtm_type != RTN_UNICAST || printer_.options().details > 0) {
        if (printer_.options().numeric || header.rtm_type >= std::size(type_names)) {
            printer_.string("type", "", std::to_string(header.rtm_type), " ");
        } else {
            printer_.string("type", "", type_names[header.rtm_type], " ");
        }
    }
    if (route[RTA_DST] || header.rtm_dst_len != 0) {
        print_prefix("dst", "", header.rtm_family, route[RTA_DST], header.rtm_dst_len);
    } else {
        printer_.string("dst", "", "default", " ");
    }
    if (route[RTA_SRC] || header.rtm_src_len != 0) {
        print_prefix("from", "from ", header.rtm_family, route[RTA_SRC], header.rtm_src_len);
    }
}

// Prints the new labels of a route.
void RoutePrinter::print_labels(Attribute labels) {
    printer_.string("to", "as to ", label_stack(labels.bytes()), " ");
}

void RoutePrinter::print_via(Attribute via) {
    const auto family = static_cast<uint8_t>(via.u16());
    const Bytes host = via.size() > sizeof(rtvia) ? via.bytes().subspan(sizeof(rtvia)) : Bytes{};
    printer_.open_object("via");
    printer_.string("family", "via ", family == AF_INET6 ? "inet6" : "inet", " ");
    printer_.address("host", "", family, host, " ");
    printer_.close_object();
}

// Prints where packets go.
void RoutePrinter::print_path(const Route& route) {
    const rtmsg& header = route.header;
    print_number(printer_, route[RTA_NH_ID], "nhid", "nhid ");
    if (route[RTA_NEWDST]) print_labels(route[RTA_NEWDST]);
    print_encap({context_, printer_, devices_}, route[RTA_ENCAP_TYPE], route[RTA_ENCAP]);
    if (header.rtm_tos != 0 && !filter_.show().tos) {
        print_name("tos", "tos ", NameKind::dsfield, header.rtm_tos);
    }
    if (route[RTA_GATEWAY] && !hides(filter_.show().via, header.rtm_family))
        printer_.address("gateway", "via ", header.rtm_family, route[RTA_GATEWAY].bytes(), " ");
    if (route[RTA_VIA]) print_via(route[RTA_VIA]);
    if (route[RTA_OIF] && filter_.oif() == 0) print_device(Color::ifname, route[RTA_OIF].u32());
}

// Prints the table, protocol, scope and source address.
void RoutePrinter::print_origin(const Route& route) {
    const rtmsg& header = route.header;
    const bool details = printer_.options().details > 0;
    const uint32_t table = route.table();
    if (table != 0 && (table != RT_TABLE_MAIN || details) && filter_.table() == 0) {
        print_name("table", "table ", NameKind::table, table);
    }
    if ((header.rtm_flags & RTM_F_CLONED) == 0) {
        if ((header.rtm_protocol != RTPROT_BOOT || details) && !filter_.show().protocol) {
            print_name("protocol", "proto ", NameKind::protocol, header.rtm_protocol);
        }
        if ((header.rtm_scope != RT_SCOPE_UNIVERSE || details) && !filter_.show().scope) {
            print_name("scope", "scope ", NameKind::scope, header.rtm_scope);
        }
    }
    if (route[RTA_PREFSRC] && !hides(filter_.show().preferred_source, header.rtm_family))
        printer_.address("prefsrc", "src ", header.rtm_family, route[RTA_PREFSRC].bytes(), " ");
    if (!filter_.show().metric) print_number(printer_, route[RTA_PRIORITY], "metric", "metric ");
}

void RoutePrinter::print_mark(uint32_t mark) {
    if (printer_.json()) return printer_.json_number("mark", mark);
    if (mark >= 16) return printer_.hex("mark", "mark ", mark, " ");
    printer_.number("mark", "mark ", mark, " ");
}

bool RoutePrinter::print(const Route& route, bool deleted) {
    if (!printable(route)) return false;
    printer_.open_object();
    if (deleted) printer_.boolean("deleted", "Deleted ");
    print_prefixes(route);
    print_path(route);
    print_origin(route);
    print_route_flags(context_, printer_, route.header.rtm_flags);
    if (route[RTA_MARK] && !filter_.show().mark) print_mark(route[RTA_MARK].u32());
    if (route[RTA_FLOW]) print_realms(route[RTA_FLOW].u32());
    print_number(printer_, route[RTA_UID], "uid", "uid ");
    print_cache(route);
    if (route[RTA_METRICS]) print_metrics(route[RTA_METRICS]);
    if (route[RTA_IIF] && filter_.iif() == 0) {
        printer_.string(Color::ifname, "iif", "iif ", devices_.name(route[RTA_IIF].u32()), " ");
    }
    print_fields(context_, printer_, route_fields, route.attributes);
    if (const Attribute propagate = route[RTA_TTL_PROPAGATE]) {
        printer_.boolean("ttl-propogate",
                         propagate.u8() != 0 ? "ttl-propogate enabled" : "ttl-propogate disabled",
                         propagate.u8() != 0);
    }
    const bool details = printer_.options().details > 0;
    if (route[RTA_NH_ID] && details &&
        context_.has(printer_.options(), Trait::route_nexthop_details))
        print_object(route[RTA_NH_ID].u32());
    if (route[RTA_MULTIPATH]) print_nexthops(route);
    printer_.text("\n");
    printer_.close_object();
    return !context_.fallback;
}

}  // namespace nlsh
