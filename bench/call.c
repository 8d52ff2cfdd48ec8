/* What one call costs, in one run: a raw netlink request, the intercepted system and popen (run it
 * with the preload), and libc's own. bench_call COMMAND [COUNT [PAUSE_US]]: medians and p99 in
 * microseconds. The raw request sets lo's MTU to what it is: give COMMAND "ip link set dev lo mtu
 * 65536". */
#include <dlfcn.h>
#include <linux/rtnetlink.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 10 };

static const char* command;
static int netlink;
static int (*libc_system)(const char*);
static FILE* (*libc_popen)(const char*, const char*);
static int (*libc_pclose)(FILE*);

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static void fail(const char* what) {
    fprintf(stderr, "%s failed\n", what);
    exit(1);
}

static void raw(void) {
    struct {
        struct nlmsghdr header;
        struct ifinfomsg link;
        struct rtattr attribute;
        uint32_t mtu;
    } request = {.header = {.nlmsg_len = sizeof request,
                            .nlmsg_type = RTM_NEWLINK,
                            .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK},
                 .link = {.ifi_index = 1},
                 .attribute = {.rta_len = RTA_LENGTH(4), .rta_type = IFLA_MTU},
                 .mtu = 65536};
    char answer[1024];
    if (send(netlink, &request, sizeof request, 0) < 0) fail("send");
    if (recv(netlink, answer, sizeof answer, 0) < 0) fail("recv");
    if (((struct nlmsgerr*)NLMSG_DATA((struct nlmsghdr*)answer))->error) fail("raw request");
}

static void read_all(FILE* stream) {
    char buffer[4096];
    while (fread(buffer, 1, sizeof buffer, stream) > 0) {
    }
}

static void our_system(void) {
    if (system(command) != 0) fail("system");
}

static void our_popen(void) {
    FILE* stream = popen(command, "r");
    if (!stream) fail("popen");
    read_all(stream);
    if (pclose(stream) != 0) fail("pclose");
}

static void their_system(void) {
    if (libc_system(command) < 0) fail("libc's system");
}

static void their_popen(void) {
    FILE* stream = libc_popen(command, "r");
    if (!stream) fail("libc's popen");
    read_all(stream);
    if (libc_pclose(stream) < 0) fail("libc's pclose");
}

static struct row {
    const char* name;
    void (*call)(void);
    int divisor; /* of the count: what is slow is called less often */
    double* samples;
    size_t size;
} rows[] = {{"raw netlink request", raw, 1, NULL, 0},
            {"intercepted system", our_system, 1, NULL, 0},
            {"intercepted popen", our_popen, 1, NULL, 0},
            {"libc's system", their_system, 20, NULL, 0},
            {"libc's popen", their_popen, 20, NULL, 0}};

static int compare(const void* a, const void* b) {
    const double left = *(const double*)a, right = *(const double*)b;
    return (left > right) - (left < right);
}

static void measure(struct row* row, int count, unsigned pause) {
    for (int i = 0; i < count / row->divisor / ROUNDS; ++i) {
        if (pause) usleep(pause);
        const double start = now();
        row->call();
        row->samples[row->size++] = now() - start;
    }
}

int main(int argc, char** argv) {
    if (argc < 2) return 1;
    command = argv[1];
    const int count = argc > 2 ? atoi(argv[2]) : 10000;
    const unsigned pause = argc > 3 ? (unsigned)atoi(argv[3]) : 0;
    void* libc = dlopen("libc.so.6", RTLD_NOW);
    *(void**)&libc_system = dlsym(libc, "system");
    *(void**)&libc_popen = dlsym(libc, "popen");
    *(void**)&libc_pclose = dlsym(libc, "pclose");
    netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    const size_t kinds = sizeof rows / sizeof *rows;
    for (size_t i = 0; i < kinds; ++i)
        rows[i].samples = calloc((size_t)count + 1, sizeof(double));
    for (int round = 0; round < ROUNDS; ++round) {
        for (size_t i = 0; i < kinds; ++i)
            measure(&rows[i], count, pause);
    }
    printf("%-22s %8s %8s %8s %7s\n", "", "median", "p99", "least", "calls");
    for (size_t i = 0; i < kinds; ++i) {
        struct row* row = &rows[i];
        if (!row->size) continue;
        qsort(row->samples, row->size, sizeof(double), compare);
        printf("%-22s %8.1f %8.1f %8.1f %7zu\n", row->name, row->samples[row->size / 2],
               row->samples[row->size * 99 / 100], row->samples[0], row->size);
    }
    return 0;
}
