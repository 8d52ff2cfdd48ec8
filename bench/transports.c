/* One operation by each way that the kernel has for it: bench_transports DEVICE COUNT prints the
 * microseconds of each call as JSON: {"set MTU: ioctl, by name": [1.2, …], …}. Run it where /sys
 * shows the namespace's devices. */
#include <fcntl.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bench/measure.h"

static const char* device;
static int netlink;
static int datagram; /* for ioctls */
static int pair[2];  /* of unix sockets */
static int index_of_device;

struct request {
    struct nlmsghdr header;
    struct ifinfomsg link;
    char attributes[64];
};

static void add_attribute(struct request* request, unsigned short type, const void* data,
                          size_t size) {
    struct rtattr* attribute = (void*)((char*)request + NLMSG_ALIGN(request->header.nlmsg_len));
    attribute->rta_type = type;
    attribute->rta_len = (unsigned short)RTA_LENGTH(size);
    memcpy(RTA_DATA(attribute), data, size);
    request->header.nlmsg_len =
        NLMSG_ALIGN(request->header.nlmsg_len) + (unsigned)RTA_ALIGN(attribute->rta_len);
}

static char answer[32768];

static bool is_good_answer(void) {
    const struct nlmsghdr* header = (const void*)answer;
    return header->nlmsg_type != NLMSG_ERROR || !((struct nlmsgerr*)NLMSG_DATA(header))->error;
}

static bool exchange(struct request* request) {
    return send(netlink, request, request->header.nlmsg_len, 0) >= 0 &&
           recv(netlink, answer, sizeof answer, 0) >= 0 && is_good_answer();
}

static bool netlink_request(unsigned short type, unsigned short flags, bool by_name, unsigned mtu) {
    struct request request = {.header = {.nlmsg_len = NLMSG_LENGTH(sizeof(struct ifinfomsg)),
                                         .nlmsg_type = type,
                                         .nlmsg_flags = NLM_F_REQUEST | flags}};
    if (by_name) add_attribute(&request, IFLA_IFNAME, device, strlen(device) + 1);
    if (!by_name) request.link.ifi_index = index_of_device;
    if (mtu) add_attribute(&request, IFLA_MTU, &mtu, sizeof mtu);
    return exchange(&request);
}

static bool netlink_index(unsigned mtu) {
    return netlink_request(RTM_NEWLINK, NLM_F_ACK, false, mtu);
}

static bool netlink_name(unsigned mtu) {
    return netlink_request(RTM_NEWLINK, NLM_F_ACK, true, mtu);
}

/* A socket that the server shares with its caller: the server only looks at the answer, so that the
 * caller finds it when the server is dead, and else takes it away. */
static bool answer_shared(int servers, int callers, unsigned mtu) {
    struct request request = {.header = {.nlmsg_len = NLMSG_LENGTH(sizeof(struct ifinfomsg)),
                                         .nlmsg_type = RTM_NEWLINK,
                                         .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK},
                              .link.ifi_index = index_of_device};
    add_attribute(&request, IFLA_MTU, &mtu, sizeof mtu);
    return send(servers, &request, request.header.nlmsg_len, 0) >= 0 &&
           recv(servers, answer, sizeof answer, MSG_PEEK) >= 0 &&
           recv(callers, answer, sizeof answer, MSG_DONTWAIT) >= 0 && is_good_answer();
}

static bool netlink_shared(unsigned mtu) {
    return answer_shared(netlink, netlink, mtu);
}

static int pass(int descriptor) {
    char control[CMSG_SPACE(sizeof descriptor)] = {0}, byte = 0;
    struct iovec data = {&byte, 1};
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = control,
                             .msg_controllen = sizeof control};
    struct cmsghdr* header = CMSG_FIRSTHDR(&message);
    *header = (struct cmsghdr){
        .cmsg_len = CMSG_LEN(sizeof descriptor), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    if (sendmsg(pair[0], &message, 0) < 0 || recvmsg(pair[1], &message, MSG_CMSG_CLOEXEC) < 0)
        fail("pass");
    memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
    return descriptor;
}

/* The same with a socket made and passed for the call. */
static bool netlink_passed(unsigned mtu) {
    const int callers = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    const int servers = pass(callers);
    const bool good = answer_shared(servers, callers, mtu);
    close(servers);
    close(callers);
    return good;
}

static bool ioctl_name(unsigned mtu) {
    struct ifreq request = {.ifr_mtu = (int)mtu};
    strncpy(request.ifr_name, device, IFNAMSIZ - 1);
    return ioctl(datagram, SIOCSIFMTU, &request) == 0;
}

static bool sysfs(unsigned mtu) {
    char path[128], text[16];
    snprintf(path, sizeof path, "/sys/class/net/%s/mtu", device);
    const int size = snprintf(text, sizeof text, "%u", mtu);
    const int file = open(path, O_WRONLY | O_CLOEXEC);
    const bool written = file >= 0 && write(file, text, (size_t)size) == size;
    close(file);
    return written;
}

static bool find_ioctl(unsigned unused) {
    (void)unused;
    struct ifreq request = {0};
    strncpy(request.ifr_name, device, IFNAMSIZ - 1);
    return ioctl(datagram, SIOCGIFINDEX, &request) == 0;
}

static bool find_netlink(unsigned unused) {
    (void)unused;
    return netlink_request(RTM_GETLINK, 0, true, 0);
}

static bool find_libc(unsigned unused) {
    (void)unused;
    return if_nametoindex(device) != 0;
}

static bool find_sysfs(unsigned unused) {
    (void)unused;
    char path[128], text[16];
    snprintf(path, sizeof path, "/sys/class/net/%s/ifindex", device);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const bool got = file >= 0 && read(file, text, sizeof text) > 0;
    close(file);
    return got;
}

static const struct way {
    const char* name;
    bool (*call)(unsigned mtu);
} ways[] = {{"set MTU: netlink, by index", netlink_index},
            {"set MTU: netlink, by name", netlink_name},
            {"set MTU: netlink, the answer shared", netlink_shared},
            {"set MTU: netlink, shared and passed for the call", netlink_passed},
            {"set MTU: ioctl, by name", ioctl_name},
            {"set MTU: sysfs, by name", sysfs},
            {"find the index: ioctl", find_ioctl},
            {"find the index: netlink", find_netlink},
            {"find the index: if_nametoindex", find_libc},
            {"find the index: sysfs", find_sysfs}};

enum { WAYS = sizeof ways / sizeof *ways, ROUNDS = 10 };

int main(int argc, char** argv) {
    if (argc != 3) fail("usage: bench_transports DEVICE COUNT");
    device = argv[1];
    const int count = atoi(argv[2]) / ROUNDS;
    netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    datagram = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) fail("socketpair");
    index_of_device = (int)if_nametoindex(device);
    double* samples = calloc((size_t)count * ROUNDS * WAYS, sizeof *samples);
    if (!samples || !index_of_device) fail(device);
    for (int round = 0; round < ROUNDS; ++round) {
        for (int way = 0; way < WAYS; ++way) {
            for (int i = 0; i < count; ++i) {
                const double start = now_us();
                /* Setting the present MTU again costs the same. */
                if (!ways[way].call(1500)) fail(ways[way].name);
                samples[(way * ROUNDS + round) * count + i] = now_us() - start;
            }
        }
    }
    for (int way = 0; way < WAYS; ++way) {
        printf("%s\"%s\": [", way ? "], " : "{", ways[way].name);
        for (int i = 0; i < count * ROUNDS; ++i)
            printf("%s%.2f", i ? ", " : "", samples[way * ROUNDS * count + i]);
    }
    printf("]}\n");
    return 0;
}
