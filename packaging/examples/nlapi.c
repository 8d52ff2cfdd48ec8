#include "nlapi.h"

#include <nlsh.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct nlsh_handle* handle;

static void open_handle(void) {
    handle = nlsh_open(NLSH_IN_PROCESS, NULL); /* NLSH_BY_SERVER: as `nlsh serve` is asked */
}

static struct nlsh_handle* nlsh(void) {
    pthread_once(&once, open_handle);
    return handle;
}

/* A value that may be left out. */
static int given(const char* value) {
    return value != NULL && *value != 0;
}

/* Counts the lines of a list after its first `head` ones. */
static int listed(int status, struct nlsh_result* result, int head, int display, int* count) {
    int lines = -head;
    for (const char* at = result ? result->output : ""; (at = strchr(at, '\n')) != NULL; ++at)
        ++lines;
    if (count) *count = lines > 0 ? lines : 0;
    if (display && result) fwrite(result->output, 1, result->output_size, stdout);
    nlsh_free(result);
    return status;
}

/* The words after VLAN and device: what is a value stays in the format, as nlsh_runf's to quote. */
static int vlan(const char* format, const char* dev, int id, const char* tagging, int pvid,
                int self) {
    const int untagged = given(tagging) && strcmp(tagging, "untagged") == 0;
    char line[128];
    snprintf(line, sizeof line, "%s%s%s%s", format, pvid ? " pvid" : "",
             untagged ? " untagged" : "", self ? " self" : "");
    return nlsh_runf(nlsh(), NULL, line, id, dev);
}

/* clang-format off */
int nlapi_req_ip_link_add_dev(const char* dev, const char* type, const char* admin) {
    return nlsh_runf(nlsh(), NULL, "ip link add %s %s type %s", dev, given(admin) ? admin : "down", type);
}

int nlapi_req_ip_link_add_vrf(const char* vrf_name, unsigned int vrf_table) {
    return nlsh_runf(nlsh(), NULL, "ip link add %s type vrf table %u", vrf_name, vrf_table);
}

int nlapi_req_ip_link_add_vxlan(const char* vx_lan_if) {
    return nlsh_runf(nlsh(), NULL, "ip link add %s type bridge", vx_lan_if);
}

int nlapi_req_ip_link_add_vxlan_id(const char* dev, int vxlan_id, const char* lcl_addr, int dest_port) {
    return given(lcl_addr) ? nlsh_runf(nlsh(), NULL, "ip link add %s type vxlan id %d local %s dstport %d", dev, vxlan_id, lcl_addr, dest_port)
                           : nlsh_runf(nlsh(), NULL, "ip link add %s type vxlan id %d dstport %d", dev, vxlan_id, dest_port);
}

int nlapi_req_ip_link_add_link_vlan(const char* dev, unsigned int vlan_id, const char* admin, const char* mac_addr) {
    const char* state = given(admin) ? admin : "down";
    return given(mac_addr) ? nlsh_runf(nlsh(), NULL, "ip link add link %s %s name Vlan%u address %s type vlan id %u", dev, state, vlan_id, mac_addr, vlan_id)
                           : nlsh_runf(nlsh(), NULL, "ip link add link %s %s name Vlan%u type vlan id %u", dev, state, vlan_id, vlan_id);
}

int nlapi_req_ip_link_set_admin(const char* dev, const char* admin) {
    return nlsh_runf(nlsh(), NULL, "ip link set %s %s", dev, admin);
}

int nlapi_req_ip_link_set_mtu(const char* dev, unsigned int mtu) {
    return nlsh_runf(nlsh(), NULL, "ip link set %s mtu %u", dev, mtu);
}

int nlapi_req_ip_link_set_vlan(unsigned int vlan_id, const char* admin) {
    return nlsh_runf(nlsh(), NULL, "ip link set Vlan%u %s", vlan_id, admin);
}

int nlapi_req_ip_link_set_master(const char* dev, const char* master, const char* admin) {
    return !given(master) ? nlsh_runf(nlsh(), NULL, "ip link set %s nomaster", dev)
         : !given(admin)  ? nlsh_runf(nlsh(), NULL, "ip link set %s master %s", dev, master)
                          : nlsh_runf(nlsh(), NULL, "ip link set %s master %s %s", dev, master, admin);
}

int nlapi_req_ip_link_set_filtering(const char* dev, const char* type, unsigned int filter_id) {
    return nlsh_runf(nlsh(), NULL, "ip link set %s type %s vlan_filtering %u", dev, type, filter_id);
}

int nlapi_req_ip_link_del_dev(const char* dev) {
    return nlsh_runf(nlsh(), NULL, "ip link del %s", dev);
}

int nlapi_req_ip_link_list(const char* dev, unsigned int display, int* count) {
    struct nlsh_result* result = NULL;
    const int status = given(dev) ? nlsh_runf(nlsh(), &result, "ip -o link show %s", dev) : nlsh_run(nlsh(), &result, "ip -o link show");
    return listed(status, result, 0, display != 0, count);
}

int nlapi_req_ip_link_list_type(const char* type, int display, int* count) {
    struct nlsh_result* result = NULL;
    const int status = nlsh_runf(nlsh(), &result, "ip -o link show type %s", type);
    return listed(status, result, 0, display, count);
}

int nlapi_req_ip_link_list_master_ifs(const char* dev, int display, int* count) {
    struct nlsh_result* result = NULL;
    const int status = nlsh_runf(nlsh(), &result, "ip -o link show master %s", dev);
    return listed(status, result, 0, display, count);
}

int nlapi_req_ip_address_cmd(const char* action, int version, const char* prefix, const char* dev) {
    return nlsh_runf(nlsh(), NULL, version == 6 ? "ip -6 address %s %s dev %s" : "ip -4 address %s %s dev %s", action, prefix, dev);
}

int nlapi_req_ip_nbr_flush(const char* dev, const char* prefix) {
    return given(prefix) ? nlsh_runf(nlsh(), NULL, "ip neigh flush dev %s %s", dev, prefix) : nlsh_runf(nlsh(), NULL, "ip neigh flush dev %s", dev);
}

int nlapi_req_bridge_vlan_add(const char* dev, int vlan_id, const char* tagging, int pvid, int self) {
    return vlan("bridge vlan add vid %d dev %s", dev, vlan_id, tagging, pvid, self);
}

int nlapi_req_bridge_vlan_del(const char* dev, int vlan_id, const char* tagging, int pvid, int self) {
    return vlan("bridge vlan del vid %d dev %s", dev, vlan_id, tagging, pvid, self);
}

int nlapi_req_bridge_vlan_list(const char* dev, unsigned int display, int* count) {
    struct nlsh_result* result = NULL;
    const int status = nlsh_runf(nlsh(), &result, "bridge vlan show dev %s", dev);
    return listed(status, result, 1, display != 0, count);
}

int nlapi_req_bridge_vlan_count(const char* dev, int* vlan_count) {
    return nlapi_req_bridge_vlan_list(dev, 0, vlan_count);
}

int nlapi_req_bridge_fdb_entry(const char* action_str, const char* dev, const char* maddr, const char* type, int vlan_id, const char* dest, int flag) {
    char line[128], id[32] = "";
    if (vlan_id > 0) snprintf(id, sizeof id, " vlan %d", vlan_id);
    snprintf(line, sizeof line, "bridge fdb %%s %%s dev %%s%s%s%s%s", given(type) ? " %s" : "", given(dest) ? " dst %s" : "", id, flag ? " self" : " master");
    return nlsh_runf(nlsh(), NULL, line, action_str, maddr, dev, given(type) ? type : dest, dest);
}

int nlapi_req_bridge_link_set_neigh_suppress(const char* dev, const char* suppress) {
    return nlsh_runf(nlsh(), NULL, "bridge link set dev %s neigh_suppress %s", dev, suppress);
}

int nlapi_req_brctl_add_if(const char* dev, const char* link) {
    return nlsh_runf(nlsh(), NULL, "brctl addif %s %s", dev, link);
}

int nlapi_req_brctl_del_if(const char* dev, const char* link) {
    return nlsh_runf(nlsh(), NULL, "brctl delif %s %s", dev, link);
}
