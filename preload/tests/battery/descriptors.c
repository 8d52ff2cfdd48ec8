/* Programs with few or closed descriptors, and programs that close ours. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "battery.h"

BEHAVIOUR(closed) {
    for (int set = 1; set < 8; ++set) {
        if (fork() == 0) {
            for (int descriptor = 0; descriptor < 3; ++descriptor)
                if (set & 1 << descriptor) close(descriptor);
            show("closed", set);
            both();
            _exit(0);
        }
        wait(NULL);
    }
}

BEHAVIOUR(exhausted) {
    const int null = open("/dev/null", O_WRONLY);
    for (rlim_t left = 3; left < 9; ++left) {
        if (fork() == 0) {
            dup2(null, 2);
            close(null);
            setrlimit(RLIMIT_NOFILE, &(struct rlimit){left, left});
            show("descriptors", (long)left);
            FILE* file = popen("ip test status 0", "r");
            show_status("popen", file ? 0 : -1);
            /* With so few descriptors, each command fails in its own way. */
            if (file) pclose(file);
            _exit(0);
        }
        wait(NULL);
    }
}

static void close_all(void) {
    syscall(SYS_close_range, 3, transcript() - 1, 0);
    syscall(SYS_close_range, transcript() + 1, ~0U, 0);
}

BEHAVIOUR(daemonise) {
    both();
    close_all();
    both();
    show("next descriptor", open("/dev/null", O_RDONLY));
}

/* The daemon closes all of its descriptors while streams are open, and opens others. */
BEHAVIOUR(closed_under_streams) {
    FILE* small = popen("ip test out 250", "r");
    poll(&(struct pollfd){.fd = fileno(small)}, 1, -1); /* for POLLHUP: its command has ended */
    FILE* big = popen("ip test out 200000", "r");
    close_all();
    for (int n = 3; n < 6; ++n)
        open("/dev/null", O_RDONLY);
    for (int n = 100; n < 110; ++n)
        dup2(3, n);
    show_status("small", pclose(small));
    show_status("big", pclose(big));
    long left = 0;
    for (int n = 100; n < 110; ++n)
        left += fcntl(n, F_GETFD) >= 0;
    show("opened", left);
    close_all();
    both();
}

BEHAVIOUR(many_descriptors) {
    setrlimit(RLIMIT_NOFILE, &(struct rlimit){1100, 1100});
    for (int i = 0; i < 1050; ++i)
        dup(0);
    both();
}

/* The program itself closes the stream's descriptor. */
BEHAVIOUR(closed_number) {
    FILE* file = popen("ip test status 4", "r");
    close(fileno(file));
    show_status("pclose", pclose(file));
    both();
}
