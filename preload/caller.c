#include "preload/caller.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "preload/config.h"
#include "preload/place.h"
#include "preload/thread.h"

struct capabilities {
    uint32_t effective, inheritable; /* the first 32 */
};

static bool capabilities(struct capabilities* own) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {{0}};
    if (syscall(SYS_capget, &header, data) != 0) return false;
    *own = (struct capabilities){data[0].effective, data[0].inheritable};
    return true;
}

static bool has_net_admin(void) {
    struct capabilities own;
    return capabilities(&own) && (own.effective & (1u << CAP_NET_ADMIN)) != 0;
}

/* Of those that a line may need: exec, which keeps CAP_NET_ADMIN, would neither give nor take one.
 * The server, which reads that of other processes, doesn't of one that has its parent's memory
 * (SECURITY.md). */
static bool exec_changes_capabilities(void) {
    static const unsigned char needed[] = {CAP_SYS_MODULE, CAP_SYS_ADMIN};
    struct capabilities own;
    if (!capabilities(&own) || !(own.effective & (1u << CAP_NET_ADMIN))) return true;
    for (size_t i = 0; i < sizeof needed; ++i) {
        const uint32_t bit = 1u << needed[i];
        const bool after = prctl(PR_CAPBSET_READ, needed[i]) == 1 || (own.inheritable & bit);
        if (after != ((own.effective & bit) != 0)) return true;
    }
    return false;
}

/* Root's exec gives all of the bounding set's capabilities, unless the process has waived that. */
static bool exec_keeps_net_admin(void) {
    const int bits = prctl(PR_GET_SECUREBITS);
    return prctl(PR_CAPBSET_READ, CAP_NET_ADMIN) == 1 && bits >= 0 && (bits & SECBIT_NOROOT) == 0;
}

extern char** environ;

/* Landlock keeps a process from files, and from every mount. Who asked for it has waived new
 * privileges; one without CAP_SYS_ADMIN couldn't mount anyway, and there is no telling. This mount
 * lacks its source: it is never made. */
static bool may_be_confined(void) {
    return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 &&
           mount(NULL, "/", NULL, MS_BIND, NULL) != 0 && errno == EPERM;
}

static bool may_open_few(void) {
    struct rlimit limit;
    return getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur < DESCRIPTORS_MIN;
}

/* That, and which outputs are open, by one system call: poll(2) refuses more entries than the
 * process may have descriptors, those for no descriptor among them. */
static bool may_open_few_beside(struct outputs* outputs) {
    struct pollfd entries[DESCRIPTORS_MIN] = {{.fd = 1}, {.fd = 2}};
    for (int i = 2; i < DESCRIPTORS_MIN; ++i)
        entries[i].fd = -1;
    int closed;
    do {
        closed = poll(entries, DESCRIPTORS_MIN, 0);
    } while (closed < 0 && errno == EINTR);
    outputs->out = !(entries[0].revents & POLLNVAL);
    outputs->err = !(entries[1].revents & POLLNVAL);
    return closed < 0;
}

/* What ends a program that writes. */
static bool files_are_limited(void) {
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY;
}

static bool few_descriptors(bool alone, struct outputs* outputs) {
    if (outputs) return may_open_few_beside(outputs);
    return !alone && may_open_few();
}

/* bash, as sh or as `bash -c`, runs functions from its environment: BASH_FUNC_ip%%=() { … */
static bool names_exported_function(const char* line, char* const* environment) {
    static const char prefix[] = "BASH_FUNC_";
    enum { PREFIX = sizeof prefix - 1 };
    for (char* const* entry = environment; line && entry && *entry; ++entry) {
        if (**entry != 'B' || strncmp(*entry, prefix, PREFIX) != 0) continue;
        const char* const name = *entry + PREFIX;
        const size_t length = strcspn(name, "%=");
        for (const char* at = strchr(line, *name); at && length; at = strchr(at + 1, *name))
            if (strncmp(at, name, length) == 0) return true;
    }
    return false;
}

/* The server asks for the main thread's, by the process's number, in each call. */
static bool server_looks(void) {
    return !config()->inproc && thread_is_main();
}

/* `alone`: of a process without other threads, which the server looks at anew. */
static const char* refusal(const char* line, char* const* environment, bool alone,
                           struct outputs* outputs) {
    /* A private server of the same user answers; no rights are lent. */
    if (config()->mock) {
        if (outputs) may_open_few_beside(outputs);
        return NULL;
    }
    /* A filter may kill a process that makes a socket, though it lets it fork and exec. The first
     * call of all: the real ip makes this one, too. */
    if (prctl(PR_GET_SECCOMP) != 0) return "seccomp";
    uid_t real, effective, saved;
    if (getresuid(&real, &effective, &saved) != 0 || real != 0 || effective != 0 || saved != 0) {
        return "not root";
    }
    if (!alone && !server_looks() && !has_net_admin()) return "no CAP_NET_ADMIN";
    const char* const place = alone ? NULL : place_refusal();
    if (place) return place;
    if (may_be_confined()) return "confined";
    if (names_exported_function(line, environment)) return "a function is exported";
    if (!exec_keeps_net_admin()) return "exec loses CAP_NET_ADMIN";
    if (alone && exec_changes_capabilities()) return "exec changes its capabilities";
    if (files_are_limited()) return "the size of files is limited";
    if (few_descriptors(alone, outputs)) return "few descriptors";
    /* A shell complains of that; ip doesn't look. */
    return line && working_directory_is_gone() ? "the working directory is gone" : NULL;
}

const char* caller_refusal(const char* line, struct outputs* outputs) {
    return refusal(line, environ, false, outputs);
}

const char* exec_refusal(const char* line, char* const* environment) {
    return refusal(line, environment, true, NULL);
}

bool children_are_reaped(void) {
    struct sigaction action;
    if (sigaction(SIGCHLD, NULL, &action) != 0) return false;
    return action.sa_handler == SIG_IGN || (action.sa_flags & SA_NOCLDWAIT) != 0;
}

bool sigpipe_ignored(void) {
    struct sigaction action;
    return sigaction(SIGPIPE, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

void child_has_ended(void) {
    if (!config()->sigchld) return;
    const int error = errno;
    kill(getpid(), SIGCHLD);
    errno = error;
}
