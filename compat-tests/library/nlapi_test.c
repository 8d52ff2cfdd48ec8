/* Calls each function of packaging/examples/nlapi.c; then the namespace's state is compared with
 * what the real tools make of the same lines (nlapi.sh). */
#include "nlapi.h"

#include <stdio.h>

static int failed = 0;

#define GIVES(wanted, call)                           \
    do {                                              \
        const int status = (call);                    \
        if (status != (wanted)) {                     \
            printf("%s: status %d\n", #call, status); \
            failed = 1;                               \
        }                                             \
    } while (0)
#define SUCCEEDS(call) GIVES(0, call)
#define COUNTS(wanted, call)                                    \
    do {                                                        \
        int count = -1;                                         \
        SUCCEEDS(call);                                         \
        if (count != (wanted)) {                                \
            printf("%s: %d, not %d\n", #call, count, (wanted)); \
            failed = 1;                                         \
        }                                                       \
    } while (0)

static void bridges_and_vlans(void) {
    SUCCEEDS(nlapi_req_ip_link_add_dev("Bridge", "bridge", "up"));
    SUCCEEDS(nlapi_req_ip_link_set_filtering("Bridge", "bridge", 1));
    SUCCEEDS(nlapi_req_brctl_add_if("Bridge", "Ethernet0"));
    SUCCEEDS(nlapi_req_bridge_link_set_neigh_suppress("Ethernet0", "on"));
    SUCCEEDS(nlapi_req_brctl_del_if("Bridge", "Ethernet0"));
    /* A bridge without ports has no address, and then takes no VLAN of its own. */
    SUCCEEDS(nlapi_req_ip_link_set_master("Ethernet0", "Bridge", NULL));
    SUCCEEDS(nlapi_req_ip_link_set_master("Ethernet4", "Bridge", "up"));
    SUCCEEDS(nlapi_req_bridge_vlan_add("Bridge", 10, NULL, 0, 1));
    SUCCEEDS(nlapi_req_bridge_vlan_add("Bridge", 20, "tagged", 0, 1));
    SUCCEEDS(nlapi_req_ip_link_add_link_vlan("Bridge", 10, "up", "02:00:00:00:00:01"));
    SUCCEEDS(nlapi_req_ip_link_add_link_vlan("Bridge", 20, NULL, NULL));
    SUCCEEDS(nlapi_req_ip_link_set_vlan(20, "up"));
    SUCCEEDS(nlapi_req_bridge_vlan_add("Ethernet0", 10, "untagged", 1, 0));
    SUCCEEDS(nlapi_req_bridge_vlan_add("Ethernet0", 20, "tagged", 0, 0));
    SUCCEEDS(nlapi_req_bridge_vlan_del("Ethernet0", 1, NULL, 0, 0));
    COUNTS(2, nlapi_req_bridge_vlan_list("Ethernet0", 0, &count));
    COUNTS(2, nlapi_req_bridge_vlan_count("Ethernet0", &count));
    COUNTS(2, nlapi_req_ip_link_list_type("vlan", 0, &count));
    COUNTS(2, nlapi_req_ip_link_list_master_ifs("Bridge", 0, &count));
    SUCCEEDS(nlapi_req_ip_link_set_master("Ethernet4", NULL, NULL));
    COUNTS(1, nlapi_req_ip_link_list_master_ifs("Bridge", 1, &count));
    SUCCEEDS(nlapi_req_ip_link_del_dev("Vlan20"));
    SUCCEEDS(nlapi_req_bridge_vlan_del("Bridge", 20, NULL, 0, 1));
}

static void links_and_addresses(void) {
    SUCCEEDS(nlapi_req_ip_link_set_mtu("Ethernet4", 9000));
    SUCCEEDS(nlapi_req_ip_link_set_admin("Ethernet4", "down"));
    SUCCEEDS(nlapi_req_ip_link_add_vrf("Vrf1", 1001));
    SUCCEEDS(nlapi_req_ip_link_set_admin("Vrf1", "up"));
    SUCCEEDS(nlapi_req_ip_link_set_master("Ethernet4", "Vrf1", "up"));
    COUNTS(1, nlapi_req_ip_link_list("Ethernet4", 0, &count));
    SUCCEEDS(nlapi_req_ip_link_list(NULL, 0, NULL));
    SUCCEEDS(nlapi_req_ip_address_cmd("add", 4, "10.0.0.1/24", "Vlan10"));
    SUCCEEDS(nlapi_req_ip_address_cmd("add", 4, "10.0.1.1/24", "Vlan10"));
    SUCCEEDS(nlapi_req_ip_address_cmd("del", 4, "10.0.1.1/24", "Vlan10"));
    SUCCEEDS(nlapi_req_ip_nbr_flush("Vlan10", "10.0.0.0/24"));
    SUCCEEDS(nlapi_req_ip_nbr_flush("Vlan10", NULL));
}

static void tunnels(void) {
    SUCCEEDS(nlapi_req_ip_link_add_vxlan("Brvxlan100"));
    SUCCEEDS(nlapi_req_ip_link_add_vxlan_id("Vxlan100", 100, "10.0.0.1", 4789));
    SUCCEEDS(nlapi_req_ip_link_add_vxlan_id("Vxlan200", 200, "", 4790));
    SUCCEEDS(nlapi_req_brctl_add_if("Brvxlan100", "Vxlan100"));
    SUCCEEDS(nlapi_req_bridge_fdb_entry("replace", "Vxlan100", "02:00:00:00:00:aa", "", 0,
                                        "10.0.0.2", 1));
    SUCCEEDS(nlapi_req_bridge_fdb_entry("add", "Vxlan100", "02:00:00:00:00:bb", "static", 0,
                                        "10.0.0.3", 1));
    SUCCEEDS(
        nlapi_req_bridge_fdb_entry("del", "Vxlan100", "02:00:00:00:00:bb", NULL, 0, "10.0.0.3", 1));
    SUCCEEDS(
        nlapi_req_bridge_fdb_entry("add", "Ethernet0", "02:00:00:00:00:cc", "static", 10, NULL, 0));
}

/* As the real commands exit. */
static void errors(void) {
    GIVES(1, nlapi_req_ip_link_del_dev("nosuch"));
    GIVES(1, nlapi_req_ip_link_set_admin("a;b", "up"));
    GIVES(2, nlapi_req_ip_link_add_dev("Bridge", "bridge", "up"));
}

int main(void) {
    bridges_and_vlans();
    links_and_addresses();
    tunnels();
    errors();
    if (!failed) puts("all 24 work");
    return failed;
}
