// bridge mst: the states of ports in multiple spanning trees.
#include <linux/if_bridge.h>
#include <sys/socket.h>

#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/net/attributes.h"
#include "backend/objects/bridge/vlan/rows.h"
#include "backend/objects/bridge/words/mst.h"
#include "backend/objects/bridge/words/values.h"
#include "backend/run.h"

namespace nlsh {
namespace {

void print_instances(Context& context, Printer& printer, VlanRows& rows, std::string_view port,
                     const Attribute& instances) {
    for (const Attribute each : AttributeRange(instances.bytes())) {
        const Attributes<IFLA_BRIDGE_MST_ENTRY_MAX> entry(each);
        const Attribute instance = entry[IFLA_BRIDGE_MST_ENTRY_MSTI];
        const Attribute state = entry[IFLA_BRIDGE_MST_ENTRY_STATE];
        if (!instance || !state || state.u8() >= std::size(port_states)) {
            context.fall_back("mst: an unknown state");
            continue;
        }
        rows.open_row(port);
        printer.number("msti", "", instance.u16(), "");
        printer.line_break();
        printer.text("                    ");
        printer.string("state", "state ", port_states[state.u8()], " ");
        printer.line_break();
        rows.close_row();
    }
    rows.close_port();
}

}  // namespace

ExitStatus run(Context& context, const Options& options, const MstSet& request) {
    Channel& channel = TRY(open_channel(context, options));
    auto header = of_family<ifinfomsg>(AF_BRIDGE);
    header.ifi_index =
        static_cast<int>(TRY(require_device(context, options, channel, request.device)));
    Message message(RTM_SETLINK, 0, header);
    const size_t spec = message.begin_nest(IFLA_AF_SPEC);
    const size_t instances = message.begin_nest(IFLA_BRIDGE_MST);
    const size_t entry = message.begin_nest(NLA_F_NESTED | IFLA_BRIDGE_MST_ENTRY);
    message.put_u16(IFLA_BRIDGE_MST_ENTRY_MSTI, request.instance);
    message.put_u8(IFLA_BRIDGE_MST_ENTRY_STATE, request.state);
    message.end_nest(entry);
    message.end_nest(instances);
    message.end_nest(spec);
    return send_unechoed(context, options, channel, message);
}

ExitStatus run(Context& context, const Options& options, const MstShow& request) {
    Channel& channel = TRY(open_channel(context, options));
    const uint32_t device = TRY(find_wanted_device(context, options, channel, request.device));
    DeviceNames names(channel);
    Printer printer(*context.out, options);
    VlanRows rows(printer, "port              msti     \n", "mst");
    Message message(RTM_GETLINK, 0, of_family<ifinfomsg>(AF_BRIDGE));
    message.put_u32(IFLA_EXT_MASK, RTEXT_FILTER_MST);
    bool stopped = false;  // bridge stops at a port whose bridge has no such trees
    const Verdict verdict = channel.dump(message, [&](const nlmsghdr& answer) {
        const auto* link = family_header<ifinfomsg>(answer);
        if (answer.nlmsg_type != RTM_NEWLINK || link == nullptr) return true;
        const Attributes<IFLA_MAX> attributes(attribute_bytes<ifinfomsg>(answer));
        const Attributes<IFLA_BRIDGE_MAX> spec(attributes[IFLA_AF_SPEC]);
        const Attribute instances = spec[IFLA_BRIDGE_MST];
        stopped = !instances;
        if (stopped) return false;
        const auto ifindex = static_cast<uint32_t>(link->ifi_index);
        if (device == 0 || device == ifindex)
            print_instances(context, printer, rows, names.name(ifindex), instances);
        return printer.flush_if_large();
    });
    if (!stopped) return end_dump(context, printer, verdict, 255, FailedDump::closed_last);
    print_dump_terminated(context);
    printer.end_document();
    printer.flush();
    return 255;
}

}  // namespace nlsh
