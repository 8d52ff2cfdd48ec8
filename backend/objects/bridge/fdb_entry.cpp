#include "backend/objects/bridge/fdb_entry.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include "backend/objects/bridge/words/fdb_rows.h"
#include "backend/render/fields.h"
#include "backend/render/format.h"
#include "backend/render/numbers.h"

namespace nlsh {
namespace {

// The first that is set is printed.
struct State {
    uint16_t bit;
    std::string_view word;
};
constexpr State states[] = {
    {NUD_PERMANENT, "permanent"},
    {NUD_NOARP, "static"},
    {NUD_STALE, "stale"},
    {NUD_REACHABLE, ""},
};

void print_state(Printer& printer, uint16_t state) {
    for (const State& entry : states)
        if ((state & entry.bit) != 0) return printer.string("state", "", entry.word, "");
    printer.string("state", "", fmt::format("state=0x{:x}", state), "");
}

void print_via(Printer& printer, DeviceNames& names, const Attributes<NDA_MAX>& attributes) {
    const Attribute via = attributes[NDA_IFINDEX];
    if (!via) return;
    if (attributes[NDA_LINK_NETNSID]) {
        printer.number("viaIfIndex", "via ifindex ", via.u32(), " ");
    } else {
        printer.string("viaIf", "via ", names.name(via.u32()), " ");
    }
}

void print_vxlan(Context& context, Printer& printer, DeviceNames& names,
                 const Attributes<NDA_MAX>& attributes) {
    if (const Attribute dst = attributes[NDA_DST]) {
        const uint8_t family = dst.size() == 4 ? AF_INET : AF_INET6;
        printer.address("dst", "dst ", family, dst.bytes(), " ");
    }
    print_number(printer, attributes[NDA_VLAN], "vlan", "vlan ");
    print_fields(context, printer, fdb_fields, attributes);
    print_via(printer, names, attributes);
    print_number(printer, attributes[NDA_NH_ID], "nhid", "nhid ");
    print_number(printer, attributes[NDA_LINK_NETNSID], "linkNetNsId", "link-netnsid ");
}

// Whether the kernel tells when it sees the device again, and that it doesn't see it now.
void print_activity(Context& context, Printer& printer, const Attributes<NDA_MAX>& attributes) {
    const Attribute activity =
        Attributes<NFEA_MAX>(attributes[NDA_FDB_EXT_ATTRS])[NFEA_ACTIVITY_NOTIFY];
    const Options& options = printer.options();
    if (!activity || options.details == 0 || !context.has(options, Trait::fdb_activity)) return;
    if ((activity.u8() & FDB_NOTIFY_BIT) != 0)
        printer.boolean("activity_notify", "activity_notify ");
    if ((activity.u8() & FDB_NOTIFY_INACTIVE_BIT) != 0) printer.boolean("inactive", "inactive ");
}

// Only patched kernels tell it, and how a patched bridge prints it isn't known.
void leave_protocol(Context& context, const Options& options,
                    const Attributes<NDA_MAX>& attributes) {
    if (attributes[NDA_PROTOCOL] && context.has(options, Trait::fdb_protocol))
        context.fall_back("fdb: an entry with a protocol");
}

void print_times(Printer& printer, const Attributes<NDA_MAX>& attributes) {
    const Attribute info = attributes[NDA_CACHEINFO];
    if (!info || printer.options().statistics == 0) return;
    const auto times = info.as<nda_cacheinfo>();
    const auto hertz = static_cast<uint32_t>(sysconf(_SC_CLK_TCK));
    printer.number("used", "used ", times.ndm_used / hertz, "/");
    printer.number("updated", "", times.ndm_updated / hertz, " ");
}

}  // namespace

void print_fdb_entry(Context& context, Printer& printer, DeviceNames& names, const ndmsg& header,
                     const Attributes<NDA_MAX>& attributes, bool with_device) {
    printer.open_object();
    if (const Attribute address = attributes[NDA_LLADDR])
        printer.string(Color::mac, "mac", "", format_hex_bytes(address.bytes()), " ");
    if (with_device && header.ndm_ifindex != 0) {
        printer.string(Color::ifname, "ifname", "dev ",
                       names.name(static_cast<uint32_t>(header.ndm_ifindex)), " ");
    }
    print_vxlan(context, printer, names, attributes);
    leave_protocol(context, printer.options(), attributes);
    print_activity(context, printer, attributes);
    print_times(printer, attributes);
    printer.open_array("flags");
    for (const FdbFlag& flag : fdb_flags) {
        if (flag.shown && (header.ndm_flags & flag.bit) != 0)
            printer.string("", "", flag.word, " ");
    }
    printer.close_array();
    if (const Attribute master = attributes[NDA_MASTER])
        printer.string("master", "master ", names.name(master.u32()), " ");
    print_state(printer, header.ndm_state);
    printer.text("\n");
    printer.close_object();
}

}  // namespace nlsh
