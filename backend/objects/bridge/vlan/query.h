// Shared by the forms of bridge vlan show.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "backend/context.h"
#include "backend/net/attributes.h"
#include "backend/objects/bridge/vlan/rows.h"
#include "backend/objects/bridge/words/vlan.h"
#include "backend/objects/bridge/words/vlan_options.h"
#include "parser/ip/options.h"

namespace nlsh {

// A show whose device has been found. nlsh applies all filters: the kernel has none for these
// dumps.
struct VlanQuery {
    Context& context;
    const Options& options;
    Channel& channel;
    uint32_t device = 0;  // 0: all
    uint32_t vid = 0;     // 0: all

    bool wants_device(uint32_t ifindex) const { return device == 0 || device == ifindex; }
    bool wants(uint32_t first, uint32_t last) const {
        return vid == 0 || (first <= vid && vid <= last);
    }
};

inline constexpr std::string_view vlan_header = "port              vlan-id  \n";

// Each prints the whole table and returns the exit status.
int show_vlan_statistics(const VlanQuery& query);  // -s
int show_vlan_options(const VlanQuery& query);     // -d, with or without -s
int show_global_options(const VlanQuery& query);   // vlan global show

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

// Prints one BRIDGE_VLANDB_ENTRY, or BRIDGE_VLANDB_GLOBAL_OPTIONS, as a row and its lines.
void print_vlan_options(const VlanQuery& query, Printer& printer, VlanRows& rows,
                        std::string_view port, const Attribute& vlan);
void print_global_options(const VlanQuery& query, Printer& printer, VlanRows& rows,
                          std::string_view port, const Attribute& vlan);

// Prints each port's VLANs from an RTM_GETVLAN dump with `flags` (BRIDGE_VLANDB_DUMPF_*). `print`
// gets each attribute of `type`, and returns false if the line falls back.
using PrintVlan =
    std::function<bool(Printer&, VlanRows&, std::string_view port, const Attribute& vlan)>;
int show_vlan_entries(const VlanQuery& query, uint32_t flags, uint16_t type,
                      const PrintVlan& print);

// bridge's output depends on the size of the datagrams. The kernel makes them as large as the
// largest read of the socket so far, and bridge has already made a large read. This small exchange
// makes one on a fresh socket.
void show_large_reads(Channel& channel);

}  // namespace nlsh
