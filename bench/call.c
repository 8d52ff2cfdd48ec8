/* What one call costs. bench_call LINE REQUESTS FAST SLOW [PAUSE_US] measures, in turns, FAST times
 * each: LINE by the preload's popen and system (run it with LD_PRELOAD), LINE's netlink requests
 * alone, from the file REQUESTS, and a pipe with a stream; and SLOW times each: LINE by libc's
 * popen and system. PAUSE_US of sleep go before each call. Prints the microseconds of each call as
 * JSON: {"way": [1.5, 1.4, …], …}. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench/measure.h"

enum { ROUNDS = 10 };

static const char* line;
static struct requests* requests;

static bool raw(const char* unused) {
    (void)unused;
    requests_send(requests);
    return true;
}

/* What is left of popen without a command. */
static bool bare_pipe(const char* unused) {
    (void)unused;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    FILE* stream = fdopen(ends[0], "r");
    if (!stream) return false;
    close(ends[1]);
    return read_all(stream) && fclose(stream) == 0;
}

static struct way {
    const char* name;
    bool (*call)(const char*);
    bool slow;
    size_t size;
    double* samples;
} ways[] = {{"raw", raw, false, 0, NULL},
            {"pipe", bare_pipe, false, 0, NULL},
            {"nlsh popen", by_popen, false, 0, NULL},
            {"nlsh system", by_system, false, 0, NULL},
            {"plain popen", by_libc_popen, true, 0, NULL},
            {"plain system", by_libc_system, true, 0, NULL}};

enum { WAYS = sizeof ways / sizeof *ways };

static void measure(struct way* way, int count, unsigned pause) {
    for (int i = 0; i < count; ++i) {
        if (pause) usleep(pause);
        const double start = now_us();
        if (!way->call(line)) fail(way->name);
        way->samples[way->size++] = now_us() - start;
    }
}

static void print(FILE* stream) {
    for (int i = 0; i < WAYS; ++i) {
        fprintf(stream, "%s\"%s\": [", i ? "], " : "{", ways[i].name);
        for (size_t k = 0; k < ways[i].size; ++k)
            fprintf(stream, "%s%.2f", k ? ", " : "", ways[i].samples[k]);
    }
    fprintf(stream, "]}\n");
}

/* Commands write to the standard output: that goes to /dev/null, and the report to where it went.
 */
static FILE* keep_output(void) {
    FILE* kept = fdopen(dup(STDOUT_FILENO), "w");
    if (!kept || !freopen("/dev/null", "w", stdout)) fail("standard output");
    return kept;
}

int main(int argc, char** argv) {
    if (argc < 5) fail("usage: bench_call LINE REQUESTS FAST SLOW [PAUSE_US]");
    unsetenv("LD_PRELOAD"); /* libc's children are as they are without nlsh */
    line = argv[1];
    requests = requests_read(argv[2]);
    const int fast = atoi(argv[3]), slow = atoi(argv[4]);
    const unsigned pause = argc > 5 ? (unsigned)atoi(argv[5]) : 0;
    FILE* report = keep_output();
    for (int i = 0; i < WAYS; ++i) {
        ways[i].samples = calloc((size_t)(fast + slow) + ROUNDS, sizeof(double));
        if (!ways[i].samples || !ways[i].call(line)) fail(ways[i].name); /* warms it up, too */
    }
    for (int round = 0; round < ROUNDS; ++round) {
        for (int i = 0; i < WAYS; ++i) {
            const int count = ways[i].slow ? slow : fast;
            measure(&ways[i], (count + ROUNDS - 1 - round) / ROUNDS, pause);
        }
    }
    print(report);
    return 0;
}
