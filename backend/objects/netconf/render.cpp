#include "backend/objects/netconf/render.h"

#include <linux/netconf.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include "backend/net/attributes.h"

namespace nlsh {
namespace {

struct Setting {
    uint16_t type;
    std::string_view key;
    std::string_view before;
    bool filter = false;  // off, strict or loose, or a number
};

constexpr Setting settings[] = {
    {NETCONFA_FORWARDING, "forwarding", "forwarding "},
    {NETCONFA_RP_FILTER, "rp_filter", "rp_filter ", true},
    {NETCONFA_MC_FORWARDING, "mc_forwarding", "mc_forwarding "},
    {NETCONFA_PROXY_NEIGH, "proxy_neigh", "proxy_neigh "},
    {NETCONFA_IGNORE_ROUTES_WITH_LINKDOWN, "ignore_routes_with_linkdown",
     "ignore_routes_with_linkdown "},
    {NETCONFA_INPUT, "input", "input "},
};
constexpr std::string_view filters[] = {"off", "strict", "loose"};

std::string_view family_name(uint8_t family) {
    return family == AF_INET    ? "inet"
           : family == AF_INET6 ? "inet6"
           : family == AF_MPLS  ? "mpls"
                                : "unknown";
}

std::string_view interface_name(DeviceNames& devices, int32_t ifindex) {
    if (ifindex == NETCONFA_IFINDEX_ALL) return "all";
    if (ifindex == NETCONFA_IFINDEX_DEFAULT) return "default";
    return devices.name(static_cast<uint32_t>(ifindex));
}

}  // namespace

void print_netconf(Printer& printer, DeviceNames& devices, const nlmsghdr& message) {
    const auto* header = family_header<netconfmsg>(message);
    if (header == nullptr) return;
    const Attributes<NETCONFA_MAX> attributes(attribute_bytes<netconfmsg>(message));
    printer.string("family", "", family_name(header->ncm_family), " ");
    if (const Attribute ifindex = attributes[NETCONFA_IFINDEX]) {
        printer.string(Color::ifname, "interface", "",
                       interface_name(devices, ifindex.as<int32_t>()), " ");
    }
    for (const Setting& setting : settings) {
        const Attribute value = attributes[setting.type];
        if (!value) continue;
        if (!setting.filter) {
            printer.on_off(setting.key, setting.before, value.u32() != 0, " ");
        } else if (value.u32() < std::size(filters)) {
            printer.string(setting.key, setting.before, filters[value.u32()], " ");
        } else {
            printer.number(setting.key, setting.before, value.u32(), " ");
        }
    }
    printer.text("\n");
}

}  // namespace nlsh
