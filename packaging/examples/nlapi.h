/* The 24 functions of SONiC's netlink API design (sonic-net/SONiC pull request 493), by its names
 * and with its parameters; each is one command line of libnlsh. 0 is success; else what the real
 * command would have exited with, or -1 when nothing has run (errno says why).
 *
 * What the design leaves open is as SwSS's daemons have it: the word `admin` is "up" or "down";
 * NULL or "" leaves out an address, a tagging or a destination; `display` prints the list that is
 * counted. All threads share one handle, which the first call opens. */
#ifndef NLAPI_H
#define NLAPI_H

/* Links */
int nlapi_req_ip_link_add_dev(const char* dev, const char* type, const char* admin);
int nlapi_req_ip_link_add_vrf(const char* vrf_name, unsigned int vrf_table);
int nlapi_req_ip_link_add_vxlan(const char* vx_lan_if); /* the bridge that a VXLAN is put into */
int nlapi_req_ip_link_add_vxlan_id(const char* dev, int vxlan_id, const char* lcl_addr,
                                   int dest_port);
int nlapi_req_ip_link_add_link_vlan(const char* dev, unsigned int vlan_id, const char* admin,
                                    const char* mac_addr); /* VlanN above dev */
int nlapi_req_ip_link_set_admin(const char* dev, const char* admin);
int nlapi_req_ip_link_set_mtu(const char* dev, unsigned int mtu);
int nlapi_req_ip_link_set_vlan(unsigned int vlan_id, const char* admin); /* VlanN */
int nlapi_req_ip_link_set_master(const char* dev, const char* master, const char* admin);
int nlapi_req_ip_link_set_filtering(const char* dev, const char* type, unsigned int filter_id);
int nlapi_req_ip_link_del_dev(const char* dev);
int nlapi_req_ip_link_list(const char* dev, unsigned int display, int* count); /* NULL: all */
int nlapi_req_ip_link_list_type(const char* type, int display, int* count);
int nlapi_req_ip_link_list_master_ifs(const char* dev, int display, int* count);

/* Addresses and neighbours; action: "add" or "del"; version: 4 or 6 */
int nlapi_req_ip_address_cmd(const char* action, int version, const char* prefix, const char* dev);
int nlapi_req_ip_nbr_flush(const char* dev, const char* prefix);

/* Bridges; tagging: "tagged" or "untagged" */
int nlapi_req_bridge_vlan_add(const char* dev, int vlan_id, const char* tagging, int pvid,
                              int self);
int nlapi_req_bridge_vlan_del(const char* dev, int vlan_id, const char* tagging, int pvid,
                              int self);
int nlapi_req_bridge_vlan_list(const char* dev, unsigned int display, int* count);
int nlapi_req_bridge_vlan_count(const char* dev, int* vlan_count);
/* action_str: "add", "replace" or "del"; type: "static", "dynamic", "permanent"; flag: 1 is self, 0
 * master */
int nlapi_req_bridge_fdb_entry(const char* action_str, const char* dev, const char* maddr,
                               const char* type, int vlan_id, const char* dest, int flag);
int nlapi_req_bridge_link_set_neigh_suppress(const char* dev, const char* suppress);
int nlapi_req_brctl_add_if(const char* dev, const char* link); /* dev: the bridge */
int nlapi_req_brctl_del_if(const char* dev, const char* link);

#endif
