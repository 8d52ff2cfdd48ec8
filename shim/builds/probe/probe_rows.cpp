#include "shim/builds/probe/probe_rows.h"

#include <initializer_list>
#include <vector>

namespace nlsh {
namespace {

constexpr Tool ip = Tool::ip, bridge = Tool::bridge;
constexpr std::string_view usage = "Usage:";

// A word that the usage text of newer builds has.
constexpr ProbeRow in_help(Tool tool, std::string_view command, std::string_view word) {
    return {.tool = tool, .command = command, .about = usage, .yes = word};
}

std::vector<ProbeRow> rows_of_traits() {
    std::vector<ProbeRow> rows;
    const auto add = [&](Trait trait, std::initializer_list<ProbeRow> probes) {
        for (ProbeRow row : probes) {
            row.trait = trait;
            rows.push_back(row);
        }
    };
#define NLSH_TRAIT(NAME, SINCE, ...) add(Trait::NAME, {__VA_ARGS__});
#include "parser/ip/traits/traits.def"
#undef NLSH_TRAIT
    return rows;
}

}  // namespace

const std::string_view probe_ip_batch = R"(link set lo up
link add pr0 address 02:00:00:00:00:10 type veth peer name pr1 address 02:00:00:00:00:11
link add prb address 02:00:00:00:00:12 type bridge
link set pr1 master prb
link set prb up
link add prx type vxlan id 7 dstport 4789 nolearning
link add prr address 02:00:00:00:00:13 type bridge stp_state 1 priority 100
link add prc address 02:00:00:00:00:14 type bridge stp_state 1 priority 200
link add pr2 address 02:00:00:00:00:15 type veth peer name pr3 address 02:00:00:00:00:16
link set pr2 master prr
link set pr3 master prc
link set pr2 up
link set pr3 up
link set prc up
link set prr up
link set pr0 up
link set pr1 up
address add 10.99.0.1/24 dev pr0
nexthop add id 77 blackhole
nexthop add id 78 via 10.99.0.8 dev pr0
nexthop add id 79 via 10.99.0.7 fdb
rule add pref 77 sport 80 table 7
neigh add 10.99.0.9 lladdr 02:00:00:00:00:99 dev pr0
route add 10.98.0.0/24 encap ip id 6 dst 1.1.1.1 dev lo
route add 10.96.0.0/16 nhid 78
route add 10.97.0.0/16 nexthop via 10.99.0.7 dev pr0 nexthop dev lo
)";
const std::string_view probe_bridge_batch = "mdb add dev prb port pr1 grp 239.1.1.1 permanent\n";

std::span<const ProbeRow> probe_rows() {
    static const std::vector<ProbeRow> rows = rows_of_traits();
    return rows;
}

}  // namespace nlsh
