// The commands for which a fuzzer plays the kernel: one for each decoder and renderer.
#pragma once

#include <linux/if_addrlabel.h>
#include <linux/if_link.h>
#include <linux/neighbour.h>
#include <linux/netconf.h>
#include <linux/nexthop.h>

#include <array>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "backend/net/scripted_transport.h"
#include "backend/objects/link/kinds/kinds.h"
#include "backend/run.h"
#include "parser/ip/command.h"

namespace nlsh {

// The kernel answers with type `answer` and a family header of `header_size` bytes.
struct FuzzCommand {
    const char* line;
    uint16_t answer;
    size_t header_size;
};

inline constexpr std::array fuzz_commands{
    FuzzCommand{"ip -d -s -s link show", RTM_NEWLINK, sizeof(ifinfomsg)},
    FuzzCommand{"ip -d -j link show d1", RTM_NEWLINK, sizeof(ifinfomsg)},
    FuzzCommand{"ip -br link show", RTM_NEWLINK, sizeof(ifinfomsg)},
    FuzzCommand{"ip -d address show", RTM_NEWADDR, sizeof(ifaddrmsg)},
    FuzzCommand{"ip -j address show", RTM_NEWADDR, sizeof(ifaddrmsg)},
    FuzzCommand{"ip -d route show table all", RTM_NEWROUTE, sizeof(rtmsg)},
    FuzzCommand{"ip -j -6 route show table all", RTM_NEWROUTE, sizeof(rtmsg)},
    FuzzCommand{"ip route get 10.0.0.1", RTM_NEWROUTE, sizeof(rtmsg)},
    FuzzCommand{"ip -s -d neigh show", RTM_NEWNEIGH, sizeof(ndmsg)},
    FuzzCommand{"ip -j -s neigh show", RTM_NEWNEIGH, sizeof(ndmsg)},
    FuzzCommand{"ip -d rule show", RTM_NEWRULE, sizeof(rtmsg)},
    FuzzCommand{"ip -j rule show", RTM_NEWRULE, sizeof(rtmsg)},
    FuzzCommand{"ip -d nexthop show", RTM_NEWNEXTHOP, sizeof(nhmsg)},
    FuzzCommand{"ip -j nexthop bucket show", RTM_NEWNEXTHOPBUCKET, sizeof(nhmsg)},
    FuzzCommand{"bridge -d link show", RTM_NEWLINK, sizeof(ifinfomsg)},
    FuzzCommand{"bridge -j -d link show", RTM_NEWLINK, sizeof(ifinfomsg)},
    FuzzCommand{"bridge -s -d fdb show", RTM_NEWNEIGH, sizeof(ndmsg)},
    FuzzCommand{"bridge -j fdb show", RTM_NEWNEIGH, sizeof(ndmsg)},
    FuzzCommand{"bridge -d vlan show", RTM_NEWVLAN, 8},
    FuzzCommand{"bridge -j vlan show", RTM_NEWLINK, sizeof(ifinfomsg)},
    FuzzCommand{"bridge -s vlan show", RTM_NEWVLAN, 8},
    FuzzCommand{"bridge vlan tunnelshow", RTM_NEWLINK, sizeof(ifinfomsg)},
    FuzzCommand{"bridge vlan global show", RTM_NEWVLAN, 8},
    FuzzCommand{"ip addrlabel", RTM_NEWADDRLABEL, sizeof(ifaddrlblmsg)},
    FuzzCommand{"ip token", RTM_NEWLINK, sizeof(ifinfomsg)},
    FuzzCommand{"ip -j netconf", RTM_NEWNETCONF, sizeof(netconfmsg)},
    FuzzCommand{"ip ntable", RTM_NEWNEIGHTBL, sizeof(ndtmsg)},
    FuzzCommand{"ip vrf", RTM_NEWLINK, sizeof(ifinfomsg)},
    FuzzCommand{"ip stats", RTM_NEWSTATS, sizeof(if_stats_msg)},
    FuzzCommand{"ip -j stats show dev d1", RTM_NEWSTATS, sizeof(if_stats_msg)},
    FuzzCommand{"ip link xstats type bridge_slave", RTM_NEWSTATS, sizeof(if_stats_msg)},
    FuzzCommand{"ip -j link afstats", RTM_NEWSTATS, sizeof(if_stats_msg)},
    FuzzCommand{"ip -s -d -M route show", RTM_NEWROUTE, sizeof(rtmsg)},
    FuzzCommand{"ip -j -M route show table all", RTM_NEWROUTE, sizeof(rtmsg)},
    FuzzCommand{"ip -s -j nexthop show", RTM_NEWNEXTHOP, sizeof(nhmsg)},
    FuzzCommand{"ip -echo link del d1", RTM_DELLINK, sizeof(ifinfomsg)},
    FuzzCommand{"ip -echo -j route del 10.0.0.0/8", RTM_DELROUTE, sizeof(rtmsg)},
    FuzzCommand{"ip -echo address del 10.0.0.1/8 dev d1", RTM_DELADDR, sizeof(ifaddrmsg)},
    FuzzCommand{"ip link set d1 up", NLMSG_ERROR, sizeof(nlmsgerr)},
    FuzzCommand{"ip route flush table 7", RTM_NEWROUTE, sizeof(rtmsg)},
    FuzzCommand{"ip address flush dev d1", RTM_NEWADDR, sizeof(ifaddrmsg)},
    FuzzCommand{"ip neigh flush dev d1", RTM_NEWNEIGH, sizeof(ndmsg)},
};

inline const FuzzCommand& fuzz_command(uint8_t choice) {
    return fuzz_commands[choice % fuzz_commands.size()];
}

// Runs the command over the script. `printed_anyway`: prints even objects for which it would fall
// back.
inline void fuzz_run(const FuzzCommand& chosen, KernelScript& kernel, bool printed_anyway) {
    static const NameTables names = NameTables::built_in();
    std::istringstream stream(chosen.line);
    std::vector<std::string> words;
    for (std::string word; stream >> word;)
        words.push_back(word);
    const Tool tool = words[0] == "ip" ? Tool::ip : Tool::bridge;
    const auto command = parse_command(tool, Words(words).subspan(1), names, link_kinds());
    if (!command) __builtin_trap();
    Session session(Session::Threads::none,
                    [&](bool) { return Channel(std::make_unique<ScriptedTransport>(kernel)); });
    StringOutput out;
    StringOutput err;
    Context context{.session = session, .names = names, .out = &out, .err = &err};
    if (printed_anyway) context.commit();
    (void)run(context, *command);
}

}  // namespace nlsh
