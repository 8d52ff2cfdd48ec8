// bridge -d vlan show and bridge vlan global show: ranges of VLANs with their options, or the
// multicast options of a bridge's VLANs, by RTM_GETVLAN.
#include <linux/if_bridge.h>
#include <sys/socket.h>

#include <functional>

#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/objects/bridge/port.h"
#include "backend/objects/bridge/vlan/query.h"
#include "backend/objects/bridge/words/vlan_options.h"

namespace nlsh {
namespace {

constexpr std::string_view indent = "                    ";

// Prints the options that were sent, except a port's state.
template <size_t Max>
void print_vlan_fields(Context& context, Printer& printer, std::span<const VlanOption> options,
                       const Attributes<Max>& sent) {
    for (const VlanOption& option : options) {
        const Attribute value = sent[option.type];
        if (!value || option.form == VlanOption::Form::state) continue;
        if (option.since != Trait::always && !context.has(printer.options(), option.since))
            continue;
        const std::string before = std::string(option.word).append(" ");
        if (option.form == VlanOption::Form::on_off) {
            printer.on_off(option.word, before, value.u8() != 0, " ");
        } else {
            printer.number(option.word, before, value.u64(), " ");
        }
    }
}

using Entry = Attributes<newer::vlan_entry_max>;

// Prints zeros where the kernel sends no counters, as in notifications.
void print_statistics(Printer& printer, const Entry& entry) {
    const Attributes<BRIDGE_VLANDB_STATS_MAX> stats(entry[BRIDGE_VLANDB_ENTRY_STATS]);
    print_vlan_counters(printer, stats[BRIDGE_VLANDB_STATS_RX_BYTES].u64(),
                        stats[BRIDGE_VLANDB_STATS_RX_PACKETS].u64(),
                        stats[BRIDGE_VLANDB_STATS_TX_BYTES].u64(),
                        stats[BRIDGE_VLANDB_STATS_TX_PACKETS].u64());
}

void print_options(Context& context, Printer& printer, const Entry& entry) {
    printer.text(indent);
    // The kernel sends no state for a deleted VLAN; bridge then prints "disabled".
    printer.string("state", "state ", port_state_name(entry[BRIDGE_VLANDB_ENTRY_STATE].u8()), " ");
    print_vlan_fields(context, printer, vlan_options, entry);
    printer.line_break();
}

using GlobalOptions = Attributes<BRIDGE_VLANDB_GOPTS_MAX>;

// iproute2 prints ports with multicast routers on a line of their own.
bool is_unusual(const GlobalOptions& options) {
    const Attribute ports = options[BRIDGE_VLANDB_GOPTS_MCAST_ROUTER_PORTS];
    return ports && ports.size() != 0;
}

// Prints each port's VLANs from an RTM_GETVLAN dump with `flags` (BRIDGE_VLANDB_DUMPF_*). `print`
// gets each attribute of `type`, and returns false if the line falls back.
using PrintVlan =
    std::function<bool(Printer&, VlanRows&, std::string_view port, const Attribute& vlan)>;
int show_vlan_entries(const VlanQuery& query, uint32_t flags, uint16_t type,
                      const PrintVlan& print) {
    show_large_reads(query.channel);
    Message message(RTM_GETVLAN, 0, of_family<br_vlan_msg>(AF_BRIDGE));
    message.put_u32(BRIDGE_VLANDB_DUMP_FLAGS, flags);
    Printer printer(*query.context.out, query.options);
    VlanRows rows(printer, vlan_header, "vlans");
    DeviceNames names(query.channel);
    uint32_t port = 0;
    bool fallback = false;
    const Verdict verdict = query.channel.dump(message, [&](const nlmsghdr& answer) {
        const auto* header = family_header<br_vlan_msg>(answer);
        if (answer.nlmsg_type != RTM_NEWVLAN || header == nullptr ||
            !query.wants_device(header->ifindex)) {
            return true;
        }
        // The next message may continue the same port.
        if (header->ifindex != port) rows.close_port();
        port = header->ifindex;
        for (const Attribute attribute : AttributeRange(attribute_bytes<br_vlan_msg>(answer))) {
            if (attribute.type() != type) continue;
            fallback = !print(printer, rows, names.name(port), attribute);
            if (fallback) return false;
        }
        return printer.flush_if_large();
    });
    if (fallback) return 0;
    if (dump_failed(query.context, printer, verdict)) return 1;
    rows.close_port();
    printer.end_document();
    return 0;
}

}  // namespace

void print_vlan_options(const VlanQuery& query, Printer& printer, VlanRows& rows,
                        std::string_view port, const Attribute& vlan) {
    const Entry entry(vlan);
    const Attribute attribute = entry[BRIDGE_VLANDB_ENTRY_INFO];
    if (!attribute) return;
    const auto info = attribute.as<bridge_vlan_info>();
    const Attribute range = entry[BRIDGE_VLANDB_ENTRY_RANGE];
    const uint16_t last = range ? range.u16() : info.vid;
    if (!query.wants(info.vid, last)) return;
    rows.open_row(port);
    rows.range("vlan", "vlanEnd", info.vid, last);
    print_vlan_flags(printer, info.flags);
    printer.line_break();
    print_options(query.context, printer, entry);
    if (query.options.statistics > 0) print_statistics(printer, entry);
    rows.close_row();
}

int show_vlan_options(const VlanQuery& query) {
    const uint32_t flags = query.options.statistics > 0 ? BRIDGE_VLANDB_DUMPF_STATS : 0;
    return show_vlan_entries(
        query, flags, BRIDGE_VLANDB_ENTRY,
        [&](Printer& printer, VlanRows& rows, std::string_view port, const Attribute& vlan) {
            print_vlan_options(query, printer, rows, port, vlan);
            return true;
        });
}

void print_global_options(const VlanQuery& query, Printer& printer, VlanRows& rows,
                          std::string_view port, const Attribute& vlan) {
    const GlobalOptions options(vlan);
    const Attribute vid = options[BRIDGE_VLANDB_GOPTS_ID];
    if (!vid) return;
    const Attribute range = options[BRIDGE_VLANDB_GOPTS_RANGE];
    const uint16_t last = range ? range.u16() : vid.u16();
    if (!query.wants(vid.u16(), last)) return;
    rows.open_row(port);
    rows.range("vlan", "vlanEnd", vid.u16(), last);
    printer.line_break();
    printer.text(indent);
    print_vlan_fields(query.context, printer, global_vlan_options, options);
    printer.line_break();
    rows.close_row();
}

int show_global_options(const VlanQuery& query) {
    return show_vlan_entries(
        query, BRIDGE_VLANDB_DUMPF_GLOBAL, BRIDGE_VLANDB_GLOBAL_OPTIONS,
        [&](Printer& printer, VlanRows& rows, std::string_view port, const Attribute& vlan) {
            const GlobalOptions options(vlan);
            if (options[BRIDGE_VLANDB_GOPTS_MCAST_QUERIER_STATE] &&
                query.context.has(query.options, Trait::vlan_querier_state)) {
                query.context.fall_back("the state of a querier");
            }
            if (is_unusual(options) && query.context.fall_back("multicast router ports")) {
                return false;
            }
            print_global_options(query, printer, rows, port, vlan);
            return true;
        });
}

}  // namespace nlsh
