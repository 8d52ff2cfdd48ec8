/* What a program could do instead of running ip: bench_libraries COUNT adds a bridge and sets it
 * up, by exec, libc's system, libnl-3, bare netlink messages, and the preload's system (run it with
 * the preload), COUNT times each, some at a time by turns. Prints the microseconds of each as JSON:
 * {"link add": {"exec": [1500.1, …], …}, "link set up": {…}}. */
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netlink/netlink.h>
#include <netlink/route/link.h>
#include <spawn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/measure.h"

static struct nl_sock* library; /* libnl's */
static int netlink;

static bool execute(char* const* words) {
    extern char** environ;
    pid_t child;
    int status;
    return posix_spawnp(&child, words[0], NULL, NULL, words, environ) == 0 &&
           waitpid(child, &status, 0) == child && status == 0;
}

static bool exec_add(void) {
    return execute((char*[]){"ip", "link", "add", "bench", "type", "bridge", NULL});
}

static bool exec_up(void) {
    return execute((char*[]){"ip", "link", "set", "bench", "up", NULL});
}

static bool exec_delete(void) {
    return execute((char*[]){"ip", "link", "del", "bench", NULL});
}

static bool library_add(void) {
    struct rtnl_link* link = rtnl_link_alloc();
    rtnl_link_set_name(link, "bench");
    rtnl_link_set_type(link, "bridge");
    const bool added = rtnl_link_add(library, link, NLM_F_CREATE | NLM_F_EXCL) == 0;
    rtnl_link_put(link);
    return added;
}

static bool library_up(void) {
    struct rtnl_link* present = NULL;
    struct rtnl_link* wanted = rtnl_link_alloc();
    if (rtnl_link_get_kernel(library, 0, "bench", &present) != 0) return false;
    rtnl_link_set_flags(wanted, IFF_UP);
    const bool set = rtnl_link_change(library, present, wanted, 0) == 0;
    rtnl_link_put(present);
    rtnl_link_put(wanted);
    return set;
}

/* A link message that names "bench", and the kernel's verdict on it. */
static bool raw(unsigned short type, unsigned short flags, unsigned up, const char* kind) {
    struct message {
        struct nlmsghdr header;
        struct ifinfomsg link;
        struct rtattr name;
        char name_text[8];
        struct rtattr info, kind;
        char kind_text[8];
    } message = {.header = {.nlmsg_type = type, .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | flags},
                 .link = {.ifi_change = up, .ifi_flags = up},
                 .name = {.rta_len = RTA_LENGTH(6), .rta_type = IFLA_IFNAME},
                 .name_text = "bench",
                 .info = {.rta_len = RTA_LENGTH(RTA_LENGTH(8)), .rta_type = IFLA_LINKINFO},
                 .kind = {.rta_len = RTA_LENGTH(7), .rta_type = IFLA_INFO_KIND}};
    message.header.nlmsg_len = sizeof message;
    if (kind) memcpy(message.kind_text, kind, strlen(kind));
    if (!kind) message.header.nlmsg_len = (unsigned)offsetof(struct message, info);
    struct {
        struct nlmsghdr header;
        struct nlmsgerr error;
        char rest[512];
    } answer;
    if (send(netlink, &message, message.header.nlmsg_len, 0) < 0) return false;
    return recv(netlink, &answer, sizeof answer, 0) > 0 &&
           answer.header.nlmsg_type == NLMSG_ERROR && answer.error.error == 0;
}

static bool raw_add(void) {
    return raw(RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL, 0, "bridge");
}

static bool raw_up(void) {
    return raw(RTM_NEWLINK, 0, IFF_UP, NULL);
}

static bool raw_delete(void) {
    return raw(RTM_DELLINK, 0, 0, NULL);
}

static const char add_line[] = "ip link add bench type bridge";
static const char up_line[] = "ip link set bench up";

static bool system_add(void) {
    return by_libc_system(add_line);
}

static bool system_up(void) {
    return by_libc_system(up_line);
}

static bool nlsh_add(void) {
    return by_system(add_line);
}

static bool nlsh_up(void) {
    return by_system(up_line);
}

static struct way {
    const char* name;
    bool (*add)(void);
    bool (*up)(void);
    double *add_us, *up_us;
} ways[] = {{"exec", exec_add, exec_up, NULL, NULL},
            {"system", system_add, system_up, NULL, NULL},
            {"libnl-3", library_add, library_up, NULL, NULL},
            {"raw netlink", raw_add, raw_up, NULL, NULL},
            {"nlsh", nlsh_add, nlsh_up, NULL, NULL}};

enum { WAYS = sizeof ways / sizeof *ways, TURN = 20 };

static double time_of(const struct way* way, bool (*call)(void)) {
    const double start = now_us();
    if (!call()) fail(way->name);
    return now_us() - start;
}

static void measure(const struct way* way, int first, int end) {
    for (int i = first; i < end; ++i) {
        way->add_us[i] = time_of(way, way->add);
        way->up_us[i] = time_of(way, way->up);
        if (!raw_delete()) fail("delete");
    }
}

static void print(const char* name, bool up, int count) {
    printf("\"%s\": {", name);
    for (int way = 0; way < WAYS; ++way) {
        printf("%s\"%s\": [", way ? "], " : "", ways[way].name);
        for (int i = 0; i < count; ++i)
            printf("%s%.2f", i ? ", " : "", (up ? ways[way].up_us : ways[way].add_us)[i]);
    }
    printf("]}");
}

int main(int argc, char** argv) {
    if (argc != 2) fail("usage: bench_libraries COUNT");
    unsetenv("LD_PRELOAD"); /* of the children */
    const int count = atoi(argv[1]);
    library = nl_socket_alloc();
    netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (nl_connect(library, NETLINK_ROUTE) != 0) fail("libnl");
    if (!exec_add() || !exec_delete()) fail("ip");
    for (struct way* way = ways; way < ways + WAYS; ++way) {
        way->add_us = calloc((size_t)count, sizeof *way->add_us);
        way->up_us = calloc((size_t)count, sizeof *way->up_us);
        if (!way->add_us || !way->up_us) fail("memory");
    }
    for (int first = 0; first < count; first += TURN)
        for (const struct way* way = ways; way < ways + WAYS; ++way)
            measure(way, first, first + TURN < count ? first + TURN : count);
    printf("{");
    print("link add", false, count);
    printf(", ");
    print("link set up", true, count);
    printf("}\n");
    return 0;
}
