// bridge mdb: changes, get, show and flush.
#include <arpa/inet.h>
#include <linux/if_bridge.h>
#include <linux/if_ether.h>
#include <sys/socket.h>

#include <cstring>
#include <vector>

#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/objects/bridge/mdb_entry.h"
#include "backend/objects/bridge/words/mdb.h"
#include "backend/objects/bridge/words/mdb_rows.h"
#include "backend/run.h"
#include "parser/ip/newer_kernel.h"

namespace nlsh {
namespace {

constexpr int not_found = 254;

// The key of an entry.
br_mdb_entry mdb_key(const GroupAddress& group, uint32_t vid) {
    br_mdb_entry entry{};
    entry.vid = static_cast<uint16_t>(vid);
    entry.addr.proto = group.family == AF_INET    ? htons(ETH_P_IP)
                       : group.family == AF_INET6 ? htons(ETH_P_IPV6)
                                                  : uint16_t{0};  // a MAC address
    std::memcpy(&entry.addr.u, group.bytes.data(), group.size);
    return entry;
}

br_mdb_entry entry_of(const MdbChange& request, uint32_t port) {
    br_mdb_entry entry = mdb_key(request.group, request.vid);
    entry.ifindex = port;
    entry.state = request.state;
    return entry;
}

void put_sources(Message& message, const std::vector<GroupAddress>& sources) {
    if (sources.empty()) return;
    const size_t list = message.begin_nest(NLA_F_NESTED | newer::MDBE_ATTR_SRC_LIST);
    for (const GroupAddress& source : sources) {
        const size_t entry = message.begin_nest(NLA_F_NESTED | newer::MDBE_SRC_LIST_ENTRY);
        message.put(newer::MDBE_SRCATTR_ADDRESS, source.bytes.data(), source.size);
        message.end_nest(entry);
    }
    message.end_nest(list);
}

void put_remote(Message& message, const MdbRemote& remote) {
    if (remote.destination)
        message.put(newer::MDBE_ATTR_DST, remote.destination->bytes.data(),
                    remote.destination->size);
    for (const MdbNumber& row : mdb_numbers) {
        const auto number = remote.numbers.find(row.sent);
        if (number != remote.numbers.end()) message.put_number(row.sent, number->second, row.size);
    }
}

bool has_attributes(const MdbChange& request) {
    return request.source || request.filter_mode || !request.sources.empty() ||
           request.protocol != 0 || request.remote != MdbRemote();
}

void put_attributes(Message& message, const MdbChange& request, uint32_t via) {
    if (!has_attributes(request)) return;
    const size_t nest = message.begin_nest(NLA_F_NESTED | MDBA_SET_ENTRY_ATTRS);
    if (request.source)
        message.put(MDBE_ATTR_SOURCE, request.source->bytes.data(), request.source->size);
    if (request.filter_mode) message.put_u8(newer::MDBE_ATTR_GROUP_MODE, *request.filter_mode);
    put_sources(message, request.sources);
    if (request.protocol != 0) message.put_u8(newer::MDBE_ATTR_RTPROT, request.protocol);
    put_remote(message, request.remote);
    if (via != 0) message.put_u32(newer::MDBE_ATTR_IFINDEX, via);
    message.end_nest(nest);
}

Message question(const MdbGet& request, uint32_t device) {
    br_port_msg header{};
    header.family = AF_BRIDGE;
    header.ifindex = device;
    Message message(RTM_GETMDB, 0, header);
    const br_mdb_entry entry = mdb_key(request.group, request.vid);
    message.put(newer::MDBA_GET_ENTRY, &entry, sizeof entry);
    if (!request.source && !request.source_vni) return message;
    const size_t nest = message.begin_nest(NLA_F_NESTED | newer::MDBA_GET_ENTRY_ATTRS);
    if (request.source)
        message.put(MDBE_ATTR_SOURCE, request.source->bytes.data(), request.source->size);
    if (request.source_vni) message.put_u32(newer::MDBE_ATTR_SRC_VNI, *request.source_vni);
    message.end_nest(nest);
    return message;
}

// bridge asks twice, for entries and for routers; nlsh takes both from one dump.
struct Routers {
    uint32_t bridge;
    std::vector<uint8_t> ports;
};

}  // namespace

ExitStatus run(Context& context, const Options& options, const MdbChange& request) {
    Channel& channel = TRY(open_channel(context, options));
    br_port_msg header{};
    header.family = AF_BRIDGE;
    header.ifindex = TRY(require_device(context, options, channel, request.device));
    const uint32_t port = TRY(require_device(context, options, channel, request.port));
    const uint32_t via = TRY(find_wanted_device(context, options, channel, request.remote.via));
    const br_mdb_entry entry = entry_of(request, port);
    Message message(request.verb == ChangeVerb::remove ? RTM_DELMDB : RTM_NEWMDB,
                    flags_of(request.verb), header);
    message.put(MDBA_SET_ENTRY, &entry, sizeof entry);
    put_attributes(message, request, via);
    return send_unechoed(context, options, channel, message);
}

ExitStatus run(Context& context, const Options& options, const MdbFlush& request) {
    Channel& channel = TRY(open_channel(context, options));
    br_port_msg header{};
    header.family = AF_BRIDGE;
    header.ifindex = TRY(require_device(context, options, channel, request.device));
    br_mdb_entry entry{};
    entry.ifindex = TRY(find_wanted_device(context, options, channel, request.port));
    entry.vid = static_cast<uint16_t>(request.vid);
    if (request.permanent.value_or(false)) entry.state = MDB_PERMANENT;
    Message message(RTM_DELMDB, flags_of_bulk, header);
    message.put(MDBA_SET_ENTRY, &entry, sizeof entry);
    if (request.protocol != 0 || request.permanent || request.remote != MdbRemote()) {
        const size_t nest = message.begin_nest(NLA_F_NESTED | MDBA_SET_ENTRY_ATTRS);
        if (request.protocol != 0) message.put_u8(newer::MDBE_ATTR_RTPROT, request.protocol);
        if (request.permanent) message.put_u8(newer::MDBE_ATTR_STATE_MASK, MDB_PERMANENT);
        put_remote(message, request.remote);
        message.end_nest(nest);
    }
    return send_unechoed(context, options, channel, message);
}

ExitStatus run(Context& context, const Options& options, const MdbGet& request) {
    Channel& channel = TRY(open_channel(context, options));
    Message message =
        question(request, TRY(require_device(context, options, channel, request.device)));
    DeviceNames names(channel);
    Printer printer(*context.out, options);
    MdbPrinter entries(context, names, printer);
    const Verdict verdict = channel.get(message, [&](const nlmsghdr& answer) {
        const auto* port = family_header<br_port_msg>(answer);
        if (port == nullptr) return true;
        const Attributes<MDBA_MAX> attributes(attribute_bytes<br_port_msg>(answer));
        printer.begin_document();
        entries.print_entries(port->ifindex, attributes[MDBA_MDB], 0);
        printer.end_document();
        return true;
    });
    return print_verdict(context, verdict) ? 0 : not_found;
}

ExitStatus run(Context& context, const Options& options, const MdbShow& request) {
    Channel& channel = TRY(open_channel(context, options));
    const uint32_t device = TRY(find_wanted_device(context, options, channel, request.device));
    DeviceNames names(channel);
    Printer printer(*context.out, options);
    MdbPrinter entries(context, names, printer);
    std::vector<Routers> all_routers;
    printer.begin_document();
    printer.open_object();
    printer.open_array("mdb");
    br_port_msg header{};  // has padding, which of_family() may leave unset
    header.family = AF_BRIDGE;
    Message message(RTM_GETMDB, 0, header);
    const Verdict verdict = channel.dump(message, [&](const nlmsghdr& answer) {
        const auto* port = family_header<br_port_msg>(answer);
        if (port == nullptr || (device != 0 && port->ifindex != device)) return true;
        const Attributes<MDBA_MAX> attributes(attribute_bytes<br_port_msg>(answer));
        entries.print_entries(port->ifindex, attributes[MDBA_MDB], request.vid);
        const Attribute routers = attributes[MDBA_ROUTER];
        if (routers && options.details > 0)
            all_routers.push_back(
                {port->ifindex, {routers.bytes().begin(), routers.bytes().end()}});
        return printer.flush_if_large();
    });
    if (dump_failed(context, printer, verdict)) return 1;
    printer.close_array();
    printer.open_object("router");
    for (const Routers& routers : all_routers)
        entries.print_routers(routers.bridge, routers.ports);
    printer.close_object();
    printer.close_object();
    printer.end_document();
    return 0;
}

}  // namespace nlsh
