// Shared by the forms of bridge vlan show.
#pragma once

#include <cstdint>
#include <string_view>

#include "backend/context.h"
#include "backend/net/attributes.h"
#include "backend/objects/bridge/vlan/rows.h"
#include "backend/objects/bridge/words/vlan.h"
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
int show_vlan_options(const VlanQuery& query);    // -d, with or without -s
int show_global_options(const VlanQuery& query);  // vlan global show

// Prints one BRIDGE_VLANDB_ENTRY, or BRIDGE_VLANDB_GLOBAL_OPTIONS, as a row and its lines.
void print_vlan_options(const VlanQuery& query, Printer& printer, VlanRows& rows,
                        std::string_view port, const Attribute& vlan);
void print_global_options(const VlanQuery& query, Printer& printer, VlanRows& rows,
                          std::string_view port, const Attribute& vlan);

// bridge's output depends on the size of the datagrams. The kernel makes them as large as the
// largest read of the socket so far, and bridge has already made a large read. This small exchange
// makes one on a fresh socket.
void show_large_reads(Channel& channel);

}  // namespace nlsh
