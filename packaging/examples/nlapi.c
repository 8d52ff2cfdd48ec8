#include "nlapi.h"

/* clang-format off */
int nlapi_bridge_add(nlapi n, const char* bridge, int mtu, const char* mac) {
    return nlsh_runf(n, NULL, "ip link add %s up type bridge && ip link set %s mtu %d && ip link set %s address %s", bridge, bridge, mtu, bridge, mac);
}

int nlapi_bridge_set_vlan_filtering(nlapi n, const char* bridge, int on) {
    return nlsh_runf(n, NULL, "ip link set %s type bridge vlan_filtering %d", bridge, on);
}

int nlapi_bridge_add_port(nlapi n, const char* bridge, const char* port) {
    return nlsh_runf(n, NULL, "brctl addif %s %s", bridge, port);
}

int nlapi_bridge_delete_port(nlapi n, const char* bridge, const char* port) {
    return nlsh_runf(n, NULL, "brctl delif %s %s", bridge, port);
}

int nlapi_port_set_neigh_suppress(nlapi n, const char* port, const char* on_or_off) {
    return nlsh_runf(n, NULL, "bridge link set dev %s neigh_suppress %s", port, on_or_off);
}

int nlapi_vlan_add(nlapi n, const char* bridge, int vid, const char* mac) {
    return nlsh_runf(n, NULL, "bridge vlan add vid %d dev %s self && ip link add link %s up name Vlan%d address %s type vlan id %d", vid, bridge, bridge, vid, mac, vid);
}

int nlapi_vlan_delete(nlapi n, const char* bridge, int vid) {
    return nlsh_runf(n, NULL, "ip link del Vlan%d && bridge vlan del vid %d dev %s self", vid, vid, bridge);
}

int nlapi_vlan_member_add(nlapi n, const char* bridge, const char* port, int vid) {
    return nlsh_runf(n, NULL, "ip link set %s master %s && bridge vlan del vid 1 dev %s && bridge vlan add vid %d dev %s pvid untagged", port, bridge, port, vid, port);
}

int nlapi_vlan_member_delete(nlapi n, const char* port, int vid) {
    return nlsh_runf(n, NULL, "bridge vlan del vid %d dev %s && ip link set %s nomaster", vid, port, port);
}

int nlapi_vlan_count(nlapi n, nlapi_result output) {
    return nlsh_runf(n, output, "ip -o link show type vlan | wc -l");
}

int nlapi_link_set_state(nlapi n, const char* link, const char* up_or_down) {
    return nlsh_runf(n, NULL, "ip link set dev %s %s", link, up_or_down);
}

int nlapi_link_set_mtu(nlapi n, const char* link, int mtu) {
    return nlsh_runf(n, NULL, "ip link set dev %s mtu %d", link, mtu);
}

int nlapi_link_set_address(nlapi n, const char* link, const char* mac) {
    return nlsh_runf(n, NULL, "ip link set dev %s address %s", link, mac);
}

int nlapi_link_set_master(nlapi n, const char* link, const char* master) {
    return nlsh_runf(n, NULL, "ip link set dev %s master %s", link, master);
}

int nlapi_link_delete(nlapi n, const char* link) {
    return nlsh_runf(n, NULL, "ip link del dev %s", link);
}

int nlapi_link_list(nlapi n, nlapi_result output, const char* master) {
    return nlsh_runf(n, output, "ip -j link show master %s", master);
}

int nlapi_subinterface_add(nlapi n, const char* parent, int vid) {
    return nlsh_runf(n, NULL, "ip link add link %s name %s.%d type vlan id %d", parent, parent, vid, vid);
}

int nlapi_vrf_add(nlapi n, const char* vrf, unsigned table) {
    return nlsh_runf(n, NULL, "ip link add %s type vrf table %u && ip link set %s up", vrf, table, vrf);
}

int nlapi_vxlan_add(nlapi n, const char* vxlan, unsigned vni, const char* local) {
    return nlsh_runf(n, NULL, "ip link add %s type vxlan id %u local %s nolearning dstport 4789", vxlan, vni, local);
}

int nlapi_address_add(nlapi n, const char* link, const char* prefix) {
    return nlsh_runf(n, NULL, "ip address add %s dev %s", prefix, link);
}

int nlapi_address_delete(nlapi n, const char* link, const char* prefix) {
    return nlsh_runf(n, NULL, "ip address del %s dev %s", prefix, link);
}

int nlapi_neigh_flush(nlapi n, const char* link, const char* prefix) {
    return nlsh_runf(n, NULL, "ip neigh flush dev %s %s", link, prefix);
}

int nlapi_fdb_replace(nlapi n, const char* vxlan, const char* mac, const char* remote) {
    return nlsh_runf(n, NULL, "bridge fdb replace %s dev %s dst %s", mac, vxlan, remote);
}

int nlapi_fdb_delete(nlapi n, const char* vxlan, const char* mac, const char* remote) {
    return nlsh_runf(n, NULL, "bridge fdb del %s dev %s dst %s", mac, vxlan, remote);
}
