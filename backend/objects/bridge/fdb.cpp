// bridge fdb: changes, show, get and flush.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <linux/neighbour.h>
#include <sys/socket.h>

#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/objects/bridge/fdb_entry.h"
#include "backend/objects/bridge/words/fdb.h"
#include "backend/objects/bridge/words/fdb_rows.h"
#include "backend/render/fields.h"
#include "backend/run.h"

namespace nlsh {
namespace {

void put_attributes(Message& message, const FdbChange& request, uint32_t via) {
    message.put(NDA_LLADDR, *request.address);
    if (request.destination) message.put(NDA_DST, request.destination->span());
    if (request.vlan) message.put_u16(NDA_VLAN, static_cast<uint16_t>(*request.vlan));
    if (request.nexthop != 0) message.put_u32(NDA_NH_ID, request.nexthop);
    if (request.protocol) message.put_u8(NDA_PROTOCOL, *request.protocol);
    put_fields(message, fdb_fields, request.fields);
    if (via != 0) message.put_u32(NDA_IFINDEX, via);
    if (request.activity == 0 && !request.no_refresh) return;
    const size_t nest = message.begin_nest(NLA_F_NESTED | NDA_FDB_EXT_ATTRS);
    if (request.activity != 0) message.put_u8(NFEA_ACTIVITY_NOTIFY, request.activity);
    if (request.no_refresh) message.put(NFEA_DONT_REFRESH, {});
    message.end_nest(nest);
}

int cannot_find_port(Context& context, const Options&, std::string_view name) {
    print_error(context, fmt::format("Cannot find bridge port device \"{}\"\n", name));
    return 255;
}

constexpr int not_found = 254;

void print_answer(Context& context, const Options& options, Channel& channel, bool dynamic,
                  const nlmsghdr& answer) {
    DeviceNames names(channel);
    Printer printer(*context.out, options);
    printer.begin_document();
    const auto* entry = family_header<ndmsg>(answer);
    const bool wanted = entry != nullptr && (!dynamic || (entry->ndm_state & NUD_PERMANENT) == 0);
    if (wanted) {
        const Attributes<NDA_MAX> attributes(attribute_bytes<ndmsg>(answer));
        print_fdb_entry(context, printer, names, *entry, attributes, true);
    }
    printer.end_document();
}

// The filters that the kernel doesn't have.
bool wanted(const FdbShow& request, const ndmsg& header, const Attributes<NDA_MAX>& attributes) {
    const Attribute vlan = attributes[NDA_VLAN];
    if (request.vlan != 0 && (!vlan || vlan.u16() != request.vlan)) return false;
    if (request.state != 0 && (header.ndm_state & request.state) == 0) return false;
    return !request.dynamic || (header.ndm_state & NUD_PERMANENT) == 0;
}

}  // namespace

ExitStatus run(Context& context, const Options& options, const FdbChange& request) {
    Channel& channel = TRY(open_channel(context, options));
    const uint32_t via = TRY(find_wanted_device(context, options, channel, request.via));
    const uint32_t ifindex = TRY(require_device(context, options, channel, request.device));
    auto header = of_family<ndmsg>(AF_BRIDGE);
    header.ndm_ifindex = static_cast<int>(ifindex);
    header.ndm_state = request.state;
    header.ndm_flags = request.flags;
    Message message(request.verb == ChangeVerb::remove ? RTM_DELNEIGH : RTM_NEWNEIGH,
                    flags_of(request.verb), header);
    put_attributes(message, request, via);
    return send_unechoed(context, options, channel, message);
}

ExitStatus run(Context& context, const Options& options, const FdbFlush& request) {
    Channel& channel = TRY(open_channel(context, options));
    auto header = of_family<ndmsg>(AF_BRIDGE);
    header.ndm_ifindex = static_cast<int>(
        TRY(require_device(context, options, channel, request.device, cannot_find_bridge_device)));
    header.ndm_flags = request.flags;
    header.ndm_state = request.state;
    const uint32_t port =
        TRY(find_wanted_device(context, options, channel, request.port, cannot_find_port));
    Message message(RTM_DELNEIGH, flags_of_bulk, header);
    if (port != 0) message.put_u32(NDA_IFINDEX, port);
    if (request.vlan) message.put_u16(NDA_VLAN, static_cast<uint16_t>(*request.vlan));
    if (request.source_vni) message.put_u32(NDA_SRC_VNI, *request.source_vni);
    if (request.vni) message.put_u32(NDA_VNI, *request.vni);
    if (request.nexthop) message.put_u32(NDA_NH_ID, *request.nexthop);
    if (request.udp_port) message.put_u16(NDA_PORT, htons(*request.udp_port));
    if (request.destination) message.put(NDA_DST, request.destination->span());
    if (request.flags_mask != 0) message.put_u8(NDA_NDM_FLAGS_MASK, request.flags_mask);
    if (request.state_mask != 0) message.put_u16(NDA_NDM_STATE_MASK, request.state_mask);
    return send_unechoed(context, options, channel, message);
}

ExitStatus run(Context& context, const Options& options, const FdbGet& request) {
    Channel& channel = TRY(open_channel(context, options));
    const uint32_t device = TRY(find_wanted_device(context, options, channel, request.device));
    const uint32_t bridge = TRY(
        find_wanted_device(context, options, channel, request.bridge, cannot_find_bridge_device));
    auto header = of_family<ndmsg>(AF_BRIDGE);
    header.ndm_ifindex = static_cast<int>(device);
    header.ndm_flags = request.flags;
    Message message(RTM_GETNEIGH, 0, header);
    message.put(NDA_LLADDR, *request.address);
    if (request.vlan) message.put_u16(NDA_VLAN, static_cast<uint16_t>(*request.vlan));
    if (request.vni) message.put_u32(NDA_VNI, *request.vni);
    if (bridge != 0) message.put_u32(NDA_MASTER, bridge);
    const Verdict verdict = channel.get(message, [&](const nlmsghdr& answer) {
        print_answer(context, options, channel, request.dynamic, answer);
        return true;
    });
    return print_verdict(context, verdict) ? 0 : not_found;
}

ExitStatus run(Context& context, const Options& options, const FdbShow& request) {
    Channel& channel = TRY(open_channel(context, options));
    const uint32_t bridge = TRY(
        find_wanted_device(context, options, channel, request.bridge, cannot_find_bridge_device));
    const uint32_t device = TRY(find_wanted_device(context, options, channel, request.device));
    auto header = of_family<ndmsg>(AF_BRIDGE);
    header.ndm_ifindex = static_cast<int>(device);
    Message message(RTM_GETNEIGH, 0, header);
    if (bridge != 0) message.put_u32(NDA_MASTER, bridge);

    DeviceNames names(channel);
    Printer printer(*context.out, options);
    printer.begin_document();
    const Verdict verdict = channel.dump(message, [&](const nlmsghdr& answer) {
        const auto* entry = family_header<ndmsg>(answer);
        if (answer.nlmsg_type != RTM_NEWNEIGH || entry == nullptr ||
            entry->ndm_family != AF_BRIDGE) {
            return true;
        }
        const Attributes<NDA_MAX> attributes(attribute_bytes<ndmsg>(answer));
        if (!wanted(request, *entry, attributes)) return true;
        print_fdb_entry(context, printer, names, *entry, attributes, device == 0);
        return printer.flush_if_large();
    });
    return end_dump(context, printer, verdict, 1);
}

}  // namespace nlsh
