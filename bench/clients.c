/* Many clients at once: bench_clients LINE COUNT MILLISECONDS [LONG] lets COUNT processes run LINE
 * by system, each as often as it can, and with LONG one more that runs that by popen all the time.
 * Run it with the preload. Prints JSON: {"calls": [of each client], "p99": µs, "longest": µs}. */
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/measure.h"

enum { CLIENTS_MAX = 256, SAMPLES = 20000 };

static struct client {
    long calls;
    double us[SAMPLES]; /* of the first calls */
}* clients;

static void run_client(struct client* client, const char* line, double end) {
    for (double before = now_us(); before < end;) {
        if (!by_system(line)) fail(line);
        const double after = now_us();
        if (client->calls < SAMPLES) client->us[client->calls] = after - before;
        ++client->calls;
        before = after;
    }
    _exit(0);
}

static void run_long(const char* line, double end) {
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
    if (argc < 4) fail("usage: bench_clients LINE COUNT MILLISECONDS [LONG]");
    const int count = atoi(argv[2]);
    if (count < 1 || count > CLIENTS_MAX) fail("count");
    clients = mmap(NULL, sizeof *clients * (size_t)count, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (clients == MAP_FAILED || !by_system(argv[1])) fail(argv[1]);
    const double end = now_us() + atof(argv[3]) * 1e3;
    for (int i = 0; i < count; ++i)
        if (fork() == 0) run_client(&clients[i], argv[1], end);
    if (argc > 4 && fork() == 0) run_long(argv[4], end);
    int status;
    bool sound = true;
    while (wait(&status) > 0)
        sound = sound && status == 0;
    if (!sound) fail("a client");
    print(count);
    return 0;
}
