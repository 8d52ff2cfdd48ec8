/* Processes that fork between calls, or change their root, environment or filters. */
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "battery.h"

static pid_t raw_clone(void) {
    return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}

BEHAVIOUR(forks) {
    pid_t (*const ways[])(void) = {fork, raw_clone, _Fork};
    both();
    for (int i = 0; i < 3; ++i) {
        const pid_t child = ways[i]();
        if (child == 0) {
            both();
            _exit(9);
        }
        int status = 0;
        waitpid(child, &status, 0);
        show_status("child", status);
        both();
    }
}

/* A vfork while a stream is open. The child execs, as vfork allows. */
BEHAVIOUR(vforks) {
    FILE* file = popen("ip test out 200000", "r");
    int status = 0;
    const pid_t child = vfork();
    if (child == 0) {
        execlp("sh", "sh", "-c", "ls /proc/self/fd | wc -l; exit 4", (char*)NULL);
        _exit(127);
    }
    waitpid(child, &status, 0);
    show_status("child", status);
    show("bytes", drain(fileno(file)));
    show_status("pclose", pclose(file));
    both();
}

static void systems(const char* who, int count) {
    for (int i = 0; i < count; ++i)
        show_status(who, system("ip test status 3"));
}

/* A vfork's child leaves the connections kept for a burst to its parent. */
BEHAVIOUR(vforks_in_burst) {
    int status = 0;
    systems("parent", 5);
    const pid_t child = vfork();
    if (child == 0) {
        systems("child", 3);
        _exit(4);
    }
    waitpid(child, &status, 0);
    show_status("child", status);
    systems("parent", 5);
    both();
}

/* A forked child reads the stream, which the parent owns; the parent's pclose still gets the
 * status. */
BEHAVIOUR(inherited_stream) {
    FILE* file = popen("ip test out 200000", "r");
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        show("bytes", drain(fileno(file)));
        show_status("child's pclose", pclose(file));
        both();
        _exit(0);
    }
    waitpid(child, &status, 0);
    show_status("child", status);
    show("bytes", drain(fileno(file)));
    show_status("pclose", pclose(file));
}

BEHAVIOUR(empty_root) {
    show("chroot", chroot("/proc/sys"));
    show_status("system", system("ip test status 3"));
    show_status("pclose", pclose(popen("ip test status 3", "r")));
}

BEHAVIOUR(environment) {
    char* path = strdup(getenv("PATH"));
    clearenv();
    setenv("PATH", path, 1);
    both();
    clearenv();
    show_status("system", system("/bin/true ip"));
}

static int filter(unsigned action) {
    struct {
        unsigned short code;
        unsigned char yes, no;
        unsigned value;
    } program[] = {
        {0x20, 0, 0, 0},          /* the number of the system call */
        {0x15, 0, 1, SYS_socket}, /* socket? */
        {0x06, 0, 0, action},     /* then this */
        {0x06, 0, 0, 0x7fff0000}, /* else SECCOMP_RET_ALLOW */
    };
    struct {
        unsigned short size;
        void* filter;
    } whole = {4, program};
    return prctl(PR_SET_SECCOMP, 2, &whole);
}

BEHAVIOUR(filtered) {
    show("filter", filter(0x7fff0000));
    both();
}

/* A filter kills the process if it makes a socket. */
BEHAVIOUR(killed_for_sockets) {
    show("filter", filter(0x80000000)); /* SECCOMP_RET_KILL_PROCESS */
    both();
}

BEHAVIOUR(unprivileged) {
    show("setresuid", setresuid(65534, 65534, 65534));
    both();
}
