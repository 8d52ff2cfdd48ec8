/* The kernel side of a switch's network daemons as 24 functions, each one line of nlapi.c. After
 * the functions that SONiC's netlink API design (sonic-net/SONiC pull request 493) puts in the
 * place of exec'ed ip, bridge and brctl. What they return is nlsh_run's: 0 or an exit status. */
#ifndef NLAPI_H
#define NLAPI_H

#include <nlsh.h>

typedef struct nlsh_handle* nlapi;
typedef struct nlsh_result** nlapi_result; /* NULL where only the status is wanted */

/* Bridges */
int nlapi_bridge_add(nlapi n, const char* bridge, int mtu, const char* mac);
int nlapi_bridge_set_vlan_filtering(nlapi n, const char* bridge, int on);
int nlapi_bridge_add_port(nlapi n, const char* bridge, const char* port);
int nlapi_bridge_delete_port(nlapi n, const char* bridge, const char* port);
int nlapi_port_set_neigh_suppress(nlapi n, const char* port, const char* on_or_off);

/* VLANs */
int nlapi_vlan_add(nlapi n, const char* bridge, int vid, const char* mac);
int nlapi_vlan_delete(nlapi n, const char* bridge, int vid);
int nlapi_vlan_member_add(nlapi n, const char* bridge, const char* port, int vid);
int nlapi_vlan_member_delete(nlapi n, const char* port, int vid);
int nlapi_vlan_count(nlapi n, nlapi_result output);

/* Links */
int nlapi_link_set_state(nlapi n, const char* link, const char* up_or_down);
int nlapi_link_set_mtu(nlapi n, const char* link, int mtu);
int nlapi_link_set_address(nlapi n, const char* link, const char* mac);
int nlapi_link_set_master(nlapi n, const char* link, const char* master);
int nlapi_link_delete(nlapi n, const char* link);
int nlapi_link_list(nlapi n, nlapi_result output, const char* master);
int nlapi_subinterface_add(nlapi n, const char* parent, int vid);
int nlapi_vrf_add(nlapi n, const char* vrf, unsigned table);
int nlapi_vxlan_add(nlapi n, const char* vxlan, unsigned vni, const char* local);

/* Addresses, neighbours, forwarding */
int nlapi_address_add(nlapi n, const char* link, const char* prefix);
int nlapi_address_delete(nlapi n, const char* link, const char* prefix);
int nlapi_neigh_flush(nlapi n, const char* link, const char* prefix);
int nlapi_fdb_replace(nlapi n, const char* vxlan, const char* mac, const char* remote);
int nlapi_fdb_delete(nlapi n, const char* vxlan, const char* mac, const char* remote);

#endif
