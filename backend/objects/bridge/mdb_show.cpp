// bridge mdb show.
#include <linux/if_bridge.h>
#include <sys/socket.h>

#include <vector>

#include "backend/dump.h"
#include "backend/names/devices.h"
#include "backend/objects/bridge/mdb_entry.h"
#include "backend/objects/bridge/words/mdb.h"
#include "backend/run.h"

namespace nlsh {
namespace {

// bridge asks twice, for entries and for routers; nlsh takes both from one dump.
struct Routers {
    uint32_t bridge;
    std::vector<uint8_t> ports;
};

class MdbDump {
  public:
    MdbDump(Context& context, const Options& options, Channel& channel)
        : channel_(channel),
          printer_(*context.out, options),
          names_(channel),
          entries_(context, names_, printer_) {}

    Verdict run(uint32_t device, uint32_t vid);
    void finish();
    Printer& printer() { return printer_; }

  private:
    void take(uint32_t bridge, const Attributes<MDBA_MAX>& attributes, uint32_t vid);

    Channel& channel_;
    Printer printer_;
    DeviceNames names_;
    MdbPrinter entries_;
    std::vector<Routers> routers_;
};

void MdbDump::take(uint32_t bridge, const Attributes<MDBA_MAX>& attributes, uint32_t vid) {
    entries_.print_entries(bridge, attributes[MDBA_MDB], vid);
    const Attribute ports = attributes[MDBA_ROUTER];
    if (!ports || printer_.options().details == 0) return;
    routers_.push_back({bridge, {ports.bytes().begin(), ports.bytes().end()}});
}

Verdict MdbDump::run(uint32_t device, uint32_t vid) {
    br_port_msg header{};
    header.family = AF_BRIDGE;
    Message message(RTM_GETMDB, 0, header);
    printer_.begin_document();
    printer_.open_object();
    printer_.open_array("mdb");
    return channel_.dump(message, [&](const nlmsghdr& answer) {
        const auto* port = family_header<br_port_msg>(answer);
        if (port == nullptr || (device != 0 && port->ifindex != device)) return true;
        take(port->ifindex, Attributes<MDBA_MAX>(attribute_bytes<br_port_msg>(answer)), vid);
        return printer_.flush_if_large();
    });
}

void MdbDump::finish() {
    printer_.close_array();
    printer_.open_object("router");
    for (const Routers& routers : routers_)
        entries_.print_routers(routers.bridge, routers.ports);
    printer_.close_object();
    printer_.close_object();
    printer_.end_document();
}

}  // namespace

ExitStatus run(Context& context, const Options& options, const MdbShow& request) {
    Channel& channel = TRY(open_channel(context, options));
    const uint32_t device = TRY(find_wanted_device(context, options, channel, request.device));
    MdbDump dump(context, options, channel);
    const Verdict verdict = dump.run(device, request.vid);
    if (dump_failed(context, dump.printer(), verdict)) return 1;
    dump.finish();
    return 0;
}

}  // namespace nlsh
