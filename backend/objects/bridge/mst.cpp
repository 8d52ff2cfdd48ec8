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

class MstDump {
  public:
    MstDump(Context& context, const Options& options, Channel& channel)
        : channel_(channel),
          context_(context),
          printer_(*context.out, options),
          names_(channel),
          rows_(printer_, "port              msti     \n", "mst") {}

    Verdict run(uint32_t device);
    int finish(const Verdict& verdict);

  private:
    bool take(const nlmsghdr& answer, uint32_t device);
    void print(std::string_view port, const Attribute& instances);

    Channel& channel_;
    Context& context_;
    Printer printer_;
    DeviceNames names_;
    VlanRows rows_;
    bool stopped_ = false;  // bridge stops at a port whose bridge has no such trees
};

void MstDump::print(std::string_view port, const Attribute& instances) {
    for (const Attribute each : AttributeRange(instances.bytes())) {
        const Attributes<IFLA_BRIDGE_MST_ENTRY_MAX> entry(each);
        const Attribute instance = entry[IFLA_BRIDGE_MST_ENTRY_MSTI];
        const Attribute state = entry[IFLA_BRIDGE_MST_ENTRY_STATE];
        if (!instance || !state || state.u8() >= std::size(port_states)) {
            context_.fall_back("mst: an unknown state");
            continue;
        }
        rows_.open_row(port);
        printer_.number("msti", "", instance.u16(), "");
        printer_.line_break();
        printer_.text("                    ");
        printer_.string("state", "state ", port_states[state.u8()], " ");
        printer_.line_break();
        rows_.close_row();
    }
    rows_.close_port();
}

bool MstDump::take(const nlmsghdr& answer, uint32_t device) {
    const auto* link = family_header<ifinfomsg>(answer);
    if (answer.nlmsg_type != RTM_NEWLINK || link == nullptr) return true;
    const Attribute spec = Attributes<IFLA_MAX>(attribute_bytes<ifinfomsg>(answer))[IFLA_AF_SPEC];
    const Attribute instances = Attributes<IFLA_BRIDGE_MAX>(spec)[IFLA_BRIDGE_MST];
    if (!instances) return !(stopped_ = true);
    const auto ifindex = static_cast<uint32_t>(link->ifi_index);
    if (device == 0 || device == ifindex) print(names_.name(ifindex), instances);
    return printer_.flush_if_large();
}

Verdict MstDump::run(uint32_t device) {
    Message message(RTM_GETLINK, 0, of_family<ifinfomsg>(AF_BRIDGE));
    message.put_u32(IFLA_EXT_MASK, RTEXT_FILTER_MST);
    return channel_.dump(message, [&](const nlmsghdr& answer) { return take(answer, device); });
}

int MstDump::finish(const Verdict& verdict) {
    if (!stopped_) return end_dump(context_, printer_, verdict, 255, FailedDump::closed_last);
    print_dump_terminated(context_);
    printer_.end_document();
    printer_.flush();
    return 255;
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
    MstDump dump(context, options, channel);
    return dump.finish(dump.run(device));
}

}  // namespace nlsh
