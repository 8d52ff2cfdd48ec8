#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "battery.h"

enum { TRANSCRIPT = 50 };

int transcript(void) {
    return TRANSCRIPT;
}

void show(const char* what, long value) {
    dprintf(TRANSCRIPT, "%s %ld\n", what, value);
}

void show_status(const char* what, int status) {
    dprintf(TRANSCRIPT, "%s %d %s\n", what, status, status == -1 ? strerror(errno) : "-");
}

long drain(int descriptor) {
    static _Thread_local char buffer[4096];
    long sum = 0;
    ssize_t got;
    while ((got = read(descriptor, buffer, sizeof buffer)) > 0)
        sum += got;
    return sum;
}

void both(void) {
    show_status("system", system("ip test status 3"));
    FILE* file = popen("ip test out 250", "r");
    show("fileno", fileno(file));
    show("bytes", drain(fileno(file)));
    show_status("pclose", pclose(file));
}

void read_some(const char* command, long limit, useconds_t pause) {
    static char buffer[65536];
    FILE* file = popen(command, "r");
    long sum = 0;
    size_t got;
    while (sum < limit && (got = fread(buffer, 1, sizeof buffer, file)) > 0) {
        sum += (long)got;
        usleep(pause);
    }
    show("bytes", sum);
    show_status("pclose", pclose(file));
}

void nothing(int signal) {
    (void)signal;
}

void storm(long microseconds, void (*handler)(int)) {
    sigaction(SIGALRM, &(struct sigaction){.sa_handler = handler}, NULL);
    const struct itimerval timer = {{0, microseconds}, {0, microseconds}};
    setitimer(ITIMER_REAL, &timer, NULL);
}

LISTED(both);

/* The linker's names for the section's start and end. */
extern const struct behaviour __start_behaviours[], __stop_behaviours[];

/* Without an argument, lists the names. */
int main(int argc, char** argv) {
    dup3(1, TRANSCRIPT, O_CLOEXEC);
    for (const struct behaviour* one = __start_behaviours; one < __stop_behaviours; ++one) {
        if (argc != 2) {
            puts(one->name);
        } else if (strcmp(argv[1], one->name) == 0) {
            one->run();
            return 0;
        }
    }
    return argc == 2;
}
