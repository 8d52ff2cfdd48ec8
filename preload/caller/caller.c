#include "preload/caller/caller.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "preload/caller/own_socket.h"
#include "preload/caller/place.h"
#include "preload/caller/rights.h"
#include "preload/settings/config.h"

extern char** environ;

static bool may_open_few(void) {
    struct rlimit limit;
    return getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur < DESCRIPTORS_MIN;
}

/* One poll() tells both the descriptor limit and which outputs are open: it refuses more entries
 * than the process may have descriptors, also entries for no descriptor. */
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

/* A limit that kills a program that writes. */
static bool files_are_limited(void) {
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY;
}

static bool few_descriptors(struct outputs* outputs) {
    return outputs ? may_open_few_beside(outputs) : may_open_few();
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

/* The server inspects the main thread, the engine the calling one. */
static bool is_looked_at(void) {
    return config()->inproc || has_rights_of_main_thread();
}

/* Checks for any program. */
static const char* surroundings_refusal(const char* line, char* const* environment) {
    if (names_exported_function(line, environment)) return "a function is exported";
    if (files_are_limited()) return "the size of files is limited";
    /* A shell prints an error about a deleted directory; ip doesn't. */
    return line && working_directory_is_gone() ? "the working directory is gone" : NULL;
}

const char* caller_refusal(const char* line, struct outputs* outputs) {
    /* The private server of `nlsh mock` runs as the same user, and lends no rights. */
    if (config()->mock) {
        if (outputs) may_open_few_beside(outputs);
        return NULL;
    }
    const char* reason = call_rights_refusal();
    if (!reason && !config()->inproc && !own_socket_may_be_made())
        reason = "a filter of system calls forbids netlink";
    if (!reason && !is_looked_at()) reason = "the main thread has other rights";
    if (!reason) reason = place_refusal();
    if (!reason) reason = surroundings_refusal(line, environ);
    if (reason) return reason;
    return few_descriptors(outputs) ? "few descriptors" : NULL;
}

const char* exec_refusal(const char* file, const char* line, char* const* environment) {
    if (config()->mock) return NULL;
    const char* const reason = exec_rights_refusal(file, line != NULL);
    return reason ? reason : surroundings_refusal(line, environment);
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
