#define _GNU_SOURCE 1
#include "shim/rights/exec_probe.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

/* Execs with an invalid argv: the kernel opens the file or refuses, and then fails on argv. Nothing
 * changes. */
static int exec_error(const char* path) {
    return syscall(SYS_execve, path, (char**)1, environ) < 0 ? errno : 0;
}

/* Linux 5.8 to 6.8 check argv before the file. Other kernels check the file first, and refuse a
 * directory. */
static bool opens_file_first(void) {
    return exec_error("/") == EACCES;
}

/* The system calls of native work and of the server's client, except calls on sockets. */
static const short calls[] = {
    SYS_capget,        SYS_getresuid,      SYS_getresgid,
    SYS_setfsuid,      SYS_setfsgid,       SYS_geteuid,
    SYS_gettid,        SYS_getcpu,         SYS_uname,
    SYS_sysinfo,       SYS_prlimit64,      SYS_statx,
    SYS_fstat,         SYS_fstatfs,        SYS_getcwd,
    SYS_openat,        SYS_faccessat,      SYS_readlinkat,
    SYS_getdents64,    SYS_read,           SYS_write,
    SYS_writev,        SYS_lseek,          SYS_close,
    SYS_fcntl,         SYS_ioctl,          SYS_pipe2,
    SYS_ppoll,         SYS_connect,        SYS_bind,
    SYS_getsockname,   SYS_getsockopt,     SYS_setsockopt,
    SYS_sendto,        SYS_sendmsg,        SYS_recvfrom,
    SYS_recvmsg,       SYS_shutdown,       SYS_rt_sigaction,
    SYS_rt_sigpending, SYS_rt_sigprocmask, SYS_rt_sigtimedwait,
    SYS_munmap,        SYS_mprotect,       SYS_madvise,
    SYS_futex,         SYS_inotify_init1,  SYS_inotify_add_watch,
    SYS_unshare,       SYS_setns,          SYS_clock_nanosleep,
#ifdef SYS_newfstatat
    SYS_newfstatat,    SYS_mmap,
#endif
#ifdef SYS_poll
    SYS_poll,          SYS_select,         SYS_access,
    SYS_stat,          SYS_lstat,          SYS_readlink,
#endif
};

/* Makes each call with invalid arguments. A filter that kills mostly goes by the call's number, or
 * by a socket's family. */
static void rehearse(void) {
    for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i)
        syscall(calls[i], -1L, -1L, -1L, -1L, -1L, -1L);
    static const int sockets[][2] = {
        {AF_UNIX, SOCK_DGRAM}, {AF_NETLINK, SOCK_RAW}, {AF_INET, SOCK_DGRAM}};
    for (size_t i = 0; i < sizeof sockets / sizeof *sockets; ++i) {
        const int made = socket(sockets[i][0], sockets[i][1] | SOCK_CLOEXEC, 0);
        if (made >= 0) close(made);
    }
}

static bool ends_with_sh(const char* path) {
    const size_t length = strlen(path);
    return length >= 2 && path[length - 2] == 's' && path[length - 1] == 'h';
}

struct visit {
    const char* path;
    bool filtered, no_new_privs;
};
enum { ALLOWED = 0, FORBIDDEN = 113 };

/* Runs the program without outputs. The program's status doesn't matter. */
static int run(const char* path) {
    static char* const none[] = {NULL};
    static char shell[] = "sh", command[] = "-c", nothing[] = ":", tool[] = "ip", version[] = "-V";
    char* const of_shell[] = {shell, command, nothing, NULL};
    char* const of_tool[] = {tool, version, NULL};
    for (int descriptor = 0; descriptor <= 2; ++descriptor)
        close(descriptor);
    syscall(SYS_execve, path, ends_with_sh(path) ? of_shell : of_tool, none);
    return FORBIDDEN;
}

static int visit_child(void* argument) {
    const struct visit* const visit = argument;
    if (visit->filtered) rehearse();
    if (exec_error(visit->path) != EFAULT) return FORBIDDEN;
    return !visit->no_new_privs || opens_file_first() ? ALLOWED : run(visit->path);
}

static const char* number(const char* text, unsigned* value) {
    for (*value = 0; *text >= '0' && *text <= '9'; ++text)
        *value = *value * 10 + (unsigned)(*text - '0');
    return text;
}

/* False: a filter that kills ends every process that shares the memory (up to Linux 5.15). */
static bool kills_one_alone(void) {
    struct utsname name;
    if (uname(&name) != 0) return false;
    unsigned major, minor;
    const char* const rest = number(name.release, &major);
    if (*rest != '.') return false;
    number(rest + 1, &minor);
    return major > 5 || (major == 5 && minor >= 16);
}

static const char forbidden[] = "its exec is forbidden";

/* Probes in a process that the program doesn't notice: its end sends no signal, and wait() doesn't
 * find it. */
static const char* probe_apart(struct visit* visit) {
    _Alignas(16) char stack[4096];
    const bool shares = !visit->filtered || kills_one_alone();
    sigset_t all, mask;
    memset(&all, -1, sizeof all);
    pthread_sigmask(SIG_SETMASK, &all, &mask);
    const int child =
        clone(visit_child, stack + sizeof stack, shares ? CLONE_VM | CLONE_VFORK : 0, visit);
    int status = -1;
    long ended = child;
    while (ended > 0 && (ended = syscall(SYS_wait4, child, &status, __WALL, NULL)) < 0)
        if (errno == EINTR) ended = child;
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    if (ended <= 0) return "no process";
    if (!WIFEXITED(status)) return "a filter would kill it";
    return WEXITSTATUS(status) == FORBIDDEN ? forbidden : NULL;
}

const char* exec_probe(const char* path, bool filtered, bool no_new_privs) {
    /* A filter may kill the process that tries. */
    if (!filtered) {
        if (exec_error(path) != EFAULT) return forbidden;
        if (!no_new_privs || opens_file_first()) return NULL;
    }
    struct visit visit = {path, filtered, no_new_privs};
    return probe_apart(&visit);
}

bool files_are_confined(void) {
    static const struct {
        char path[40];
        short mode, flags;
    } files[] = {{"/etc/iproute2/rt_tables", R_OK, O_RDONLY},
                 {"/usr/share/iproute2/rt_tables", R_OK, O_RDONLY},
                 {"/proc/sys/net/ipv4/ip_forward", W_OK, O_WRONLY}};
    bool confined = false;
    for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
        if (syscall(SYS_faccessat2, AT_FDCWD, files[i].path, files[i].mode, AT_EACCESS) != 0)
            continue;
        const int file = open(files[i].path, files[i].flags | O_CLOEXEC);
        if (file < 0 && errno == EACCES) confined = true;
        if (file >= 0) close(file);
    }
    return confined;
}
