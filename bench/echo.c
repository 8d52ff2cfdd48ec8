/* Netlink's throughput: bench_echo SIZE SOCKETS MILLISECONDS sends messages of SIZE bytes that the
 * kernel refuses and sends back whole, one after the other on each of so many sockets (a thread
 * each), and prints how many went there and back in a second, all together. */
#include <linux/rtnetlink.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bench/measure.h"

static size_t message_size;
static double end_us;
static atomic_long echoed;

static void* work(void* unused) {
    (void)unused;
    const int netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    struct nlmsghdr* message = calloc(1, message_size);
    char* answer = malloc(2 * message_size + 4096);
    if (netlink < 0 || !message || !answer) fail("socket or memory");
    message->nlmsg_len = (unsigned)message_size;
    message->nlmsg_type = RTM_MAX + 1; /* unknown: an error, with the message */
    message->nlmsg_flags = NLM_F_REQUEST;
    long count = 0;
    while (now_us() < end_us) {
        if (send(netlink, message, message_size, 0) < 0) fail("send");
        const ssize_t got = recv(netlink, answer, 2 * message_size + 4096, 0);
        if (got < (ssize_t)message_size) fail("the kernel didn't send all back");
        ++count;
    }
    atomic_fetch_add(&echoed, count);
    return NULL;
}

int main(int argc, char** argv) {
    if (argc != 4) fail("usage: bench_echo SIZE SOCKETS MILLISECONDS");
    message_size = (size_t)atol(argv[1]);
    const int sockets = atoi(argv[2]);
    const double milliseconds = atof(argv[3]);
    pthread_t threads[64];
    if (sockets < 1 || sockets > 64) fail("1 to 64 sockets");
    const double start = now_us();
    end_us = start + milliseconds * 1e3;
    for (int i = 0; i < sockets; ++i)
        if (pthread_create(&threads[i], NULL, work, NULL)) fail("thread");
    for (int i = 0; i < sockets; ++i)
        pthread_join(threads[i], NULL);
    printf("%.0f\n", (double)echoed / (now_us() - start) * 1e6);
    return 0;
}
