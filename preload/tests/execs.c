/* Measures what a library costs each exec of a program that never calls it. `execs PROGRAM
 * PRELOAD…` starts PROGRAM without and with each library in turn, and prints the medians of the
 * additional processor time, in microseconds. */
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { TIMES = 200, LIBRARIES_MAX = 8 };

static long long processor_time(const char* program, char** environment) {
    char* const arguments[] = {(char*)program, NULL};
    pid_t child;
    int status;
    struct rusage used;
    if (posix_spawn(&child, program, NULL, NULL, arguments, environment) != 0) exit(1);
    if (wait4(child, &status, 0, &used) != child || status != 0) exit(1);
    return (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000LL + used.ru_utime.tv_usec +
           used.ru_stime.tv_usec;
}

static int compare(const void* left, const void* right) {
    const long long a = *(const long long*)left, b = *(const long long*)right;
    return (a > b) - (a < b);
}

int main(int argc, char** argv) {
    static long long times[LIBRARIES_MAX][TIMES];
    const int kinds = argc - 1; /* the program alone, then with each library */
    if (kinds < 1 || kinds > LIBRARIES_MAX) return 1;
    /* Keep other processes away if permitted: they would change the caches, and so the times. */
    sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 1});
    for (int i = 0; i < TIMES; ++i) {
        for (int kind = 0; kind < kinds; ++kind) {
            char preload[4096];
            char* environment[] = {"PATH=/bin", kind ? preload : NULL, NULL};
            if (kind) snprintf(preload, sizeof preload, "LD_PRELOAD=%s", argv[kind + 1]);
            times[kind][i] = processor_time(argv[1], environment);
        }
    }
    for (int kind = 0; kind < kinds; ++kind) {
        qsort(times[kind], TIMES, sizeof times[kind][0], compare);
        printf("%lld\n", times[kind][TIMES / 2] - (kind ? times[0][TIMES / 2] : 0));
    }
    return 0;
}
