/* Calls each function of packaging/examples/nlapi.c; then the namespace's state is compared with
 * what the real tools make of the same lines (nlapi.lines). Says how many lines were native, by
 * $NLSH_TRACE. */
#include <stdio.h>
#include <string.h>

#include "nlapi.h"

static int failed = 0;

#define SUCCEEDS(call)                                \
    do {                                              \
        const int status = (call);                    \
        if (status != 0) {                            \
            printf("%s: status %d\n", #call, status); \
            failed = 1;                               \
        }                                             \
    } while (0)

static void expect(const char* what, struct nlsh_result* result, const char* text) {
    if (!result || !strstr(result->output, text)) {
        printf("%s: '%s', not '%s'\n", what, result ? result->output : "", text);
        failed = 1;
    }
    nlsh_free(result);
}

static void bridges_and_vlans(nlapi n) {
    struct nlsh_result* result;
    SUCCEEDS(nlapi_bridge_add(n, "Bridge", 9100, "02:00:00:00:00:01"));
    SUCCEEDS(nlapi_bridge_set_vlan_filtering(n, "Bridge", 1));
    SUCCEEDS(nlapi_bridge_add_port(n, "Bridge", "Ethernet0"));
    SUCCEEDS(nlapi_port_set_neigh_suppress(n, "Ethernet0", "on"));
    SUCCEEDS(nlapi_bridge_delete_port(n, "Bridge", "Ethernet0"));
    SUCCEEDS(nlapi_vlan_add(n, "Bridge", 10, "02:00:00:00:00:01"));
    SUCCEEDS(nlapi_vlan_add(n, "Bridge", 20, "02:00:00:00:00:01"));
    SUCCEEDS(nlapi_vlan_member_add(n, "Bridge", "Ethernet0", 10));
    SUCCEEDS(nlapi_vlan_member_add(n, "Bridge", "Ethernet4", 20));
    SUCCEEDS(nlapi_vlan_member_delete(n, "Ethernet4", 20));
    SUCCEEDS(nlapi_vlan_count(n, &result));
    expect("vlan_count", result, "2\n");
    SUCCEEDS(nlapi_vlan_delete(n, "Bridge", 20));
    SUCCEEDS(nlapi_link_list(n, &result, "Bridge"));
    expect("link_list", result, "\"ifname\":\"Ethernet0\"");
}

static void links(nlapi n) {
    SUCCEEDS(nlapi_link_set_mtu(n, "Ethernet4", 9000));
    SUCCEEDS(nlapi_link_set_address(n, "Ethernet4", "02:00:00:00:00:04"));
    SUCCEEDS(nlapi_vrf_add(n, "Vrf1", 1001));
    SUCCEEDS(nlapi_link_set_master(n, "Ethernet4", "Vrf1"));
    SUCCEEDS(nlapi_link_set_state(n, "Ethernet4", "up"));
    SUCCEEDS(nlapi_subinterface_add(n, "Ethernet4", 100));
    SUCCEEDS(nlapi_subinterface_add(n, "Ethernet4", 200));
    SUCCEEDS(nlapi_link_delete(n, "Ethernet4.200"));
}

static void addresses_and_entries(nlapi n) {
    SUCCEEDS(nlapi_address_add(n, "Vlan10", "10.0.0.1/24"));
    SUCCEEDS(nlapi_address_add(n, "Vlan10", "10.0.1.1/24"));
    SUCCEEDS(nlapi_address_delete(n, "Vlan10", "10.0.1.1/24"));
    SUCCEEDS(nlapi_neigh_flush(n, "Vlan10", "10.0.0.0/24"));
    SUCCEEDS(nlapi_vxlan_add(n, "Vxlan100", 100, "10.0.0.1"));
    SUCCEEDS(nlapi_fdb_replace(n, "Vxlan100", "02:00:00:00:00:aa", "10.0.0.2"));
    SUCCEEDS(nlapi_fdb_replace(n, "Vxlan100", "02:00:00:00:00:bb", "10.0.0.3"));
    SUCCEEDS(nlapi_fdb_delete(n, "Vxlan100", "02:00:00:00:00:bb", "10.0.0.3"));
}

int main(void) {
    nlapi n = nlsh_open(NLSH_IN_PROCESS, NULL);
    if (!n) return 1;
    bridges_and_vlans(n);
    links(n);
    addresses_and_entries(n);
    nlsh_close(n);
    if (!failed) puts("all 24 work");
    return failed;
}
