// `inet …` of `ip link set`.
#include "backend/objects/link/words/options.h"

#include <linux/if_link.h>
#include <linux/ip.h>
#include <linux/netlink.h>
#include <sys/socket.h>

#include "parser/try.h"

namespace nlsh {
namespace {

Parsed<void> read_switch(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    const auto word = TRY(arguments.value(row.word));
    const bool on = TRY(parse_switch(row.word, word, arguments.traits(), 1));
    return scope.put_number(row.attribute, uint32_t{on});
}

Parsed<void> read_number(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    if (!arguments.empty() && arguments.peek().starts_with('-')) return declined("inet: a sign");
    return read_int(scope, row, arguments);
}

constexpr LinkRow on_off(std::string_view word, uint16_t parameter) {
    return {.word = word, .attribute = parameter, .codec = {read_switch}, .exact = true};
}
constexpr LinkRow number(std::string_view word, uint16_t parameter) {
    return {.word = word,
            .attribute = parameter,
            .codec = {read_number},
            .exact = true,
            .complaint = "Invalid \"{}\" value\n"};
}

constexpr LinkRow parameters[] = {
    on_off("forwarding", IPV4_DEVCONF_FORWARDING),
    on_off("proxy_arp", IPV4_DEVCONF_PROXY_ARP),
    on_off("accept_redirects", IPV4_DEVCONF_ACCEPT_REDIRECTS),
    on_off("secure_redirects", IPV4_DEVCONF_SECURE_REDIRECTS),
    on_off("send_redirects", IPV4_DEVCONF_SEND_REDIRECTS),
    on_off("shared_media", IPV4_DEVCONF_SHARED_MEDIA),
    on_off("accept_source_route", IPV4_DEVCONF_ACCEPT_SOURCE_ROUTE),
    on_off("bootp_relay", IPV4_DEVCONF_BOOTP_RELAY),
    on_off("log_martians", IPV4_DEVCONF_LOG_MARTIANS),
    on_off("arp_filter", IPV4_DEVCONF_ARPFILTER),
    on_off("disable_xfrm", IPV4_DEVCONF_NOXFRM),
    on_off("disable_policy", IPV4_DEVCONF_NOPOLICY),
    on_off("promote_secondaries", IPV4_DEVCONF_PROMOTE_SECONDARIES),
    on_off("arp_notify", IPV4_DEVCONF_ARP_NOTIFY),
    on_off("accept_local", IPV4_DEVCONF_ACCEPT_LOCAL),
    on_off("src_vmark", IPV4_DEVCONF_SRC_VMARK),
    on_off("proxy_arp_pvlan", IPV4_DEVCONF_PROXY_ARP_PVLAN),
    on_off("route_localnet", IPV4_DEVCONF_ROUTE_LOCALNET),
    on_off("bc_forwarding", IPV4_DEVCONF_BC_FORWARDING),
    on_off("ignore_routes_with_linkdown", IPV4_DEVCONF_IGNORE_ROUTES_WITH_LINKDOWN),
    on_off("drop_unicast_in_l2_multicast", IPV4_DEVCONF_DROP_UNICAST_IN_L2_MULTICAST),
    on_off("drop_gratuitous_arp", IPV4_DEVCONF_DROP_GRATUITOUS_ARP),
    on_off("arp_evict_nocarrier", IPV4_DEVCONF_ARP_EVICT_NOCARRIER),
    number("rp_filter", IPV4_DEVCONF_RP_FILTER),
    number("arp_announce", IPV4_DEVCONF_ARP_ANNOUNCE),
    number("arp_ignore", IPV4_DEVCONF_ARP_IGNORE),
    number("arp_accept", IPV4_DEVCONF_ARP_ACCEPT),
    number("force_igmp_version", IPV4_DEVCONF_FORCE_IGMP_VERSION),
    number("tag", IPV4_DEVCONF_TAG),
    number("medium_id", IPV4_DEVCONF_MEDIUM_ID),
    number("igmpv2_unsolicited_report_interval", IPV4_DEVCONF_IGMPV2_UNSOLICITED_REPORT_INTERVAL),
    number("igmpv3_unsolicited_report_interval", IPV4_DEVCONF_IGMPV3_UNSOLICITED_REPORT_INTERVAL),
};

}  // namespace

// Reads parameters up to the first word that isn't one, which is again an option of the link.
Parsed<void> read_inet(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    OptionScope inet(scope.context(), false);
    while (!arguments.empty()) {
        const LinkRow* parameter =
            TRY(find_option(parameters, arguments.peek(), arguments.traits()));
        if (parameter == nullptr) break;
        arguments.take();
        TRY(read_option(inet, *parameter, arguments));
    }
    if (inet.attributes().empty())
        return std::unexpected(Arguments({}, arguments.traits()).value(row.word).error());
    LinkNest values{"", std::move(inet.attributes())};
    const LinkNest nest{"", {{IFLA_INET_CONF | NLA_F_NESTED, std::move(values)}}};
    return scope.put(row.attribute, LinkNest{"", {{AF_INET, nest}}});
}

}  // namespace nlsh
