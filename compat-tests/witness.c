// Reads a network namespace's state through libnl-route-3, independently of iproute2 and of nlsh,
// and the per-device sysctls. One line an object.
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <netlink/route/addr.h>
#include <netlink/route/link.h>
#include <netlink/route/link/vlan.h>
#include <netlink/route/link/vrf.h>
#include <netlink/route/link/vxlan.h>
#include <netlink/route/neighbour.h>
#include <netlink/route/route.h>
#include <netlink/route/rule.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void print_vxlan(struct rtnl_link* link) {
    uint32_t id = 0, port = 0;
    struct nl_addr* address = NULL;
    char text[128];
    if (!rtnl_link_vxlan_get_id(link, &id)) printf(" vxlan %u", id);
    if (!rtnl_link_vxlan_get_port(link, &port)) printf(" port %u", port);
    if (!rtnl_link_vxlan_get_local(link, &address)) {
        printf(" local %s", nl_addr2str(address, text, sizeof text));
        nl_addr_put(address);
    }
    if (!rtnl_link_vxlan_get_group(link, &address)) {
        printf(" group %s", nl_addr2str(address, text, sizeof text));
        nl_addr_put(address);
    }
    printf(" learning %d", rtnl_link_vxlan_get_learning(link));
}

// By getters: nl_object_dump of a link with a veth peer crashes in libnl 3.7.
static void print_link(struct rtnl_link* link) {
    char flags[256], address[128];
    const char* type = rtnl_link_get_type(link);
    printf(
        "link %d %s flags %s mtu %u master %d link %d group %u txqlen %u operstate %d type %s "
        "address %s",
        rtnl_link_get_ifindex(link), rtnl_link_get_name(link),
        rtnl_link_flags2str((int)rtnl_link_get_flags(link), flags, sizeof flags),
        rtnl_link_get_mtu(link), rtnl_link_get_master(link), rtnl_link_get_link(link),
        rtnl_link_get_group(link), rtnl_link_get_txqlen(link), rtnl_link_get_operstate(link),
        type ? type : "-", nl_addr2str(rtnl_link_get_addr(link), address, sizeof address));
    if (rtnl_link_get_ifalias(link)) printf(" alias %s", rtnl_link_get_ifalias(link));
    if (rtnl_link_is_vlan(link))
        printf(" vlan %d protocol %x flags %d", rtnl_link_vlan_get_id(link),
               rtnl_link_vlan_get_protocol(link), rtnl_link_vlan_get_flags(link));
    uint32_t table;
    if (rtnl_link_is_vrf(link) && !rtnl_link_vrf_get_tableid(link, &table))
        printf(" vrf %u", table);
    if (rtnl_link_is_vxlan(link)) print_vxlan(link);
    putchar('\n');
}

static void print_links(struct nl_sock* socket) {
    struct if_nameindex* devices = if_nameindex();
    for (struct if_nameindex* device = devices; device && device->if_index; device++) {
        struct rtnl_link* link;
        if (rtnl_link_get_kernel(socket, (int)device->if_index, NULL, &link))
            printf("link %s: not read\n", device->if_name);
        else {
            print_link(link);
            rtnl_link_put(link);
        }
    }
    if_freenameindex(devices);
}

static void print_cache(struct nl_cache* cache) {
    struct nl_dump_params parameters = {.dp_type = NL_DUMP_LINE, .dp_fd = stdout};
    nl_cache_dump(cache, &parameters);
}

static void print_addresses(struct nl_sock* socket) {
    struct nl_cache* cache;
    if (!rtnl_addr_alloc_cache(socket, &cache)) print_cache(cache);
}

static int print_route(struct nl_msg* message, void* unused) {
    (void)unused;
    struct nl_dump_params parameters = {.dp_type = NL_DUMP_LINE, .dp_fd = stdout};
    struct rtnl_route* route;
    if (rtnl_route_parse(nlmsg_hdr(message), &route)) {
        printf("route: not read\n");
        return NL_OK;
    }
    nl_object_dump(OBJ_CAST(route), &parameters);
    rtnl_route_put(route);
    return NL_OK;
}

// Not by a cache, which keeps only one of the IPv6 routes that differ in the device.
static void print_routes(struct nl_sock* socket) {
    struct rtmsg request = {.rtm_family = AF_UNSPEC};
    nl_socket_modify_cb(socket, NL_CB_VALID, NL_CB_CUSTOM, print_route, NULL);
    if (nl_send_simple(socket, RTM_GETROUTE, NLM_F_DUMP, &request, sizeof request) >= 0)
        nl_recvmsgs_default(socket);
    nl_socket_modify_cb(socket, NL_CB_VALID, NL_CB_DEFAULT, NULL, NULL);
}

static void print_rules(struct nl_sock* socket) {
    struct nl_cache* cache;
    if (!rtnl_rule_alloc_cache(socket, AF_UNSPEC, &cache)) print_cache(cache);
}

static void print_neighbours(struct nl_sock* socket) {
    struct nl_cache* cache;
    if (!rtnl_neigh_alloc_cache(socket, &cache)) print_cache(cache);
}

static void print_file(const char* path) {
    char value[256];
    int fd = open(path, O_RDONLY);
    if (fd < 0) return;
    ssize_t size = read(fd, value, sizeof value - 1);
    close(fd);
    if (size > 0) {
        value[size - 1] = 0;
        printf("%s %s\n", path, value);
    }
}

static void print_files(const char* folder, int depth) {
    struct dirent** entries;
    int count = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (entries[i]->d_name[0] == '.')
            ;
        else if (depth == 0)
            print_file(path);
        else
            print_files(path, depth - 1);
        free(entries[i]);
    }
    if (count >= 0) free(entries);
}

static void print_sysctls(struct nl_sock* socket) {
    (void)socket;
    print_files("/proc/sys/net/ipv4/conf", 1);
    print_files("/proc/sys/net/ipv6/conf", 1);
    print_files("/proc/sys/net/mpls/conf", 1);
}

static const struct section {
    const char* name;
    void (*print)(struct nl_sock*);
} sections[] = {
    {"links", print_links}, {"addresses", print_addresses},   {"routes", print_routes},
    {"rules", print_rules}, {"neighbours", print_neighbours}, {"sysctls", print_sysctls},
};

int main(void) {
    struct nl_sock* socket = nl_socket_alloc();
    if (!socket || nl_connect(socket, NETLINK_ROUTE)) return 1;
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        printf("== %s\n", sections[i].name);
        sections[i].print(socket);
    }
    return 0;
}
