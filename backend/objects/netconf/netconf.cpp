#include "backend/objects/netconf/netconf.h"

#include <linux/netconf.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include "backend/errors.h"
#include "backend/net/attributes.h"
#include "backend/objects/netconf/words/netconf.h"
#include "backend/run.h"

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

ExitStatus run(Context& context, const Options& options, const NetconfShow& request) {
    Channel& channel = TRY(open_channel(context, options));
    const uint32_t device =
        TRY(find_wanted_device(context, options, channel, request.device, device_does_not_exist));
    Message message(RTM_GETNETCONF, 0, of_family<netconfmsg>(options.family));
    const Traits& traits = options.traits;
    if (options.family == AF_MPLS && device != 0 && !traits.lacks(Trait::netconf_reports)) {
        // Without MPLS, a dump returns other families instead of an error, so first ask for one
        // device.
        Message one(RTM_GETNETCONF, 0, of_family<netconfmsg>(options.family));
        one.put_u32(NETCONFA_IFINDEX, device);
        const Verdict verdict = channel.get(one, [](const nlmsghdr&) { return true; });
        if (!verdict.ok() && !traits.has(Trait::netconf_reports)) {
            context.fall_back("netconf: an error that older ones don't report");
            return 1;
        }
        if (!print_verdict(context, verdict)) return 2;
    }
    DeviceNames names(channel);
    // For one device and family iproute2 doesn't dump, and always prints text.
    Options printed = options;
    printed.json = options.json && (device == 0 || options.family == AF_UNSPEC);
    Printer printer(*context.out, printed);
    printer.begin_document();
    const Verdict verdict = channel.dump(message, [&](const nlmsghdr& answer) {
        if (answer.nlmsg_type != RTM_NEWNETCONF) return true;
        const Attributes<NETCONFA_MAX> attributes(attribute_bytes<netconfmsg>(answer));
        const Attribute ifindex = attributes[NETCONFA_IFINDEX];
        if (device != 0 && (!ifindex || ifindex.u32() != device)) return true;
        // A kernel without MPLS returns all families.
        const auto* answered = family_header<netconfmsg>(answer);
        const bool other = answered == nullptr || answered->ncm_family != options.family;
        if (options.family == AF_MPLS && other) return true;
        printer.open_object();
        print_netconf(printer, names, answer);
        printer.close_object();
        return printer.flush_if_large();
    });
    return end_dump(context, printer, verdict, 1);
}

}  // namespace nlsh
