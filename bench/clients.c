/* Many clients at once: bench_clients LINE COUNT MILLISECONDS pinned|free [LONG] lets COUNT
 * processes run LINE by system, each as often as it can, and with LONG one more that runs that by
 * popen all the time. `pinned`: each stays on a processor, in turn; `free`: where the scheduler
 * puts it. Run it with the preload. LINE `echo`: the floor, a server that only answers, by a thread
 * for each client, pinned or free as the clients are. Prints JSON: {"calls": [of each client],
 * "p99": µs, "longest": µs}. */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/measure.h"

enum { CLIENTS_MAX = 256, SAMPLES = 20000 };

static const double start_us = 200000; /* from the first client's making */

static struct client {
    long calls;
    double us[SAMPLES]; /* of the first calls */
}* clients;

/* Sizes of a request of nlsh and of its reply. */
enum { REQUEST_SIZE = 300, REPLY_SIZE = 16 };

static int echo_sockets[CLIENTS_MAX][2]; /* a client's end, the server's */
static int echo_socket;                  /* of this client */

static bool pinned;

static void use_processor(int number) {
    if (!pinned) return;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)(number % (int)sysconf(_SC_NPROCESSORS_ONLN)), &set);
    sched_setaffinity(0, sizeof set, &set);
}

static void* echo(void* number) {
    const int client = (int)(intptr_t)number;
    char bytes[REQUEST_SIZE];
    use_processor(client);
    while (recv(echo_sockets[client][1], bytes, sizeof bytes, 0) > 0)
        send(echo_sockets[client][1], bytes, REPLY_SIZE, 0);
    return NULL;
}

/* A process; it ends with this one. */
static void start_echo_server(int count) {
    for (int i = 0; i < count; ++i)
        if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, echo_sockets[i]) != 0) fail("socketpair");
    const pid_t server = fork();
    if (server < 0) fail("fork");
    if (server > 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    pthread_t thread;
    for (int i = 0; i < count; ++i)
        if (pthread_create(&thread, NULL, &echo, (void*)(intptr_t)i) != 0) fail("thread");
    for (;;)
        pause();
}

static bool by_echo(const char* line) {
    char bytes[REQUEST_SIZE] = {0};
    (void)line;
    return send(echo_socket, bytes, REQUEST_SIZE, 0) == REQUEST_SIZE &&
           recv(echo_socket, bytes, sizeof bytes, 0) == REPLY_SIZE;
}

static bool (*call)(const char*) = by_system;

/* All begin together: those that were made first would get the processors while the others are
 * made. */
static void sleep_until(double start) {
    const double left = start - now_us();
    if (left > 0) usleep((useconds_t)left);
}

static void run_client(struct client* client, const char* line, double start, double end) {
    sleep_until(start);
    for (double before = now_us(); before < end;) {
        if (!call(line)) fail(line);
        const double after = now_us();
        if (client->calls < SAMPLES) client->us[client->calls] = after - before;
        ++client->calls;
        before = after;
    }
    _exit(0);
}

static void run_long(const char* line, double start, double end) {
    sleep_until(start);
    while (now_us() < end)
        if (!by_popen(line)) fail(line);
    _exit(0);
}

static int compare(const void* a, const void* b) {
    const double one = *(const double*)a, other = *(const double*)b;
    return one < other ? -1 : one > other;
}

static void print(int count) {
    double* all = calloc((size_t)count * SAMPLES, sizeof *all);
    size_t size = 0;
    for (int i = 0; i < count; ++i) {
        printf("%s%ld", i ? ", " : "{\"calls\": [", clients[i].calls);
        for (long k = 0; all && k < clients[i].calls && k < SAMPLES; ++k)
            all[size++] = clients[i].us[k];
    }
    if (!size) fail("no call");
    qsort(all, size, sizeof *all, compare);
    printf("], \"p99\": %.1f, \"longest\": %.1f}\n", all[size * 99 / 100], all[size - 1]);
    free(all);
}

int main(int argc, char** argv) {
    if (argc < 5) fail("usage: bench_clients LINE COUNT MILLISECONDS pinned|free [LONG]");
    const int count = atoi(argv[2]);
    if (count < 1 || count > CLIENTS_MAX) fail("count");
    clients = mmap(NULL, sizeof *clients * (size_t)count, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pinned = strcmp(argv[4], "pinned") == 0;
    const bool floor = strcmp(argv[1], "echo") == 0;
    if (floor) call = by_echo;
    if (clients == MAP_FAILED || (!floor && !by_system(argv[1]))) fail(argv[1]);
    if (floor) start_echo_server(count);
    const double start = now_us() + start_us;
    const double end = start + atof(argv[3]) * 1e3;
    for (int i = 0; i < count; ++i) {
        if (fork() != 0) continue;
        echo_socket = echo_sockets[i][0];
        use_processor(i);
        run_client(&clients[i], argv[1], start, end);
    }
    if (argc > 5 && fork() == 0) run_long(argv[5], start, end);
    int status;
    bool sound = true;
    for (int ended = 0; ended < count + (argc > 5) && wait(&status) > 0; ++ended)
        sound = sound && status == 0;
    if (!sound) fail("a client");
    print(count);
    return 0;
}
