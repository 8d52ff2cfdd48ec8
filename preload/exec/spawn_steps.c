#include "preload/exec/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "preload/libc/next.h"

#ifndef POSIX_SPAWN_SETSID
#define POSIX_SPAWN_SETSID 0x80
#endif
#ifndef POSIX_SPAWN_USEVFORK
#define POSIX_SPAWN_USEVFORK 0x40
#endif

enum {
    KNOWN_FLAGS = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP |
                  POSIX_SPAWN_RESETIDS | POSIX_SPAWN_SETSID | POSIX_SPAWN_USEVFORK
};

/* The list behind a posix_spawn_file_actions_t is private: this is glibc's, since 2.2. is_glibcs()
 * checks that. */
enum tag { CLOSE, DUP2, OPEN, CHANGE_DIRECTORY, CHANGE_TO_OPEN_DIRECTORY, CLOSE_FROM };
struct action {
    int tag;
    union {
        int fd; /* CLOSE_FROM: the first */
        struct {
            int fd, copy;
        } dup2;
        struct {
            int fd;
            const char* path;
            int flags;
            mode_t mode;
        } open;
    } of;
};
struct actions {
    int allocated, used;
    const struct action* list;
};

typedef int actions_function(posix_spawn_file_actions_t*);
typedef int close_function(posix_spawn_file_actions_t*, int);
typedef int dup2_function(posix_spawn_file_actions_t*, int, int);
typedef int open_function(posix_spawn_file_actions_t*, int, const char*, int, mode_t);

static bool has_samples(const struct action* list) {
    return list[0].tag == CLOSE && list[0].of.fd == 5 && list[1].tag == DUP2 &&
           list[1].of.dup2.fd == 6 && list[1].of.dup2.copy == 7 && list[2].tag == OPEN &&
           list[2].of.open.fd == 8 && strcmp(list[2].of.open.path, "/") == 0 &&
           list[2].of.open.flags == O_RDWR && list[2].of.open.mode == 0600;
}

/* Whether this libc writes the list that we read. */
static bool is_glibcs(void) {
    NEXT(actions_function, posix_spawn_file_actions_init);
    NEXT(actions_function, posix_spawn_file_actions_destroy);
    NEXT(close_function, posix_spawn_file_actions_addclose);
    NEXT(dup2_function, posix_spawn_file_actions_adddup2);
    NEXT(open_function, posix_spawn_file_actions_addopen);
    NEXT(close_function, posix_spawn_file_actions_addclosefrom_np);
    const bool closes_from = posix_spawn_file_actions_addclosefrom_np_next != NULL; /* glibc 2.34 */
    posix_spawn_file_actions_t object;
    struct actions samples;
    if (posix_spawn_file_actions_init_next(&object) != 0) return false;
    bool same = posix_spawn_file_actions_addclose_next(&object, 5) == 0 &&
                posix_spawn_file_actions_adddup2_next(&object, 6, 7) == 0 &&
                posix_spawn_file_actions_addopen_next(&object, 8, "/", O_RDWR, 0600) == 0 &&
                (!closes_from || posix_spawn_file_actions_addclosefrom_np_next(&object, 9) == 0);
    memcpy(&samples, &object, sizeof samples);
    const int count = closes_from ? 4 : 3;
    same = same && samples.used == count && samples.allocated >= count &&
           samples.allocated <= 1024 && has_samples(samples.list) &&
           (!closes_from || (samples.list[3].tag == CLOSE_FROM && samples.list[3].of.fd == 9));
    posix_spawn_file_actions_destroy_next(&object);
    return same;
}

static bool knows_actions(void) {
    enum { UNKNOWN, YES, NO };
    static _Atomic int known;
    int present = atomic_load(&known);
    if (present == UNKNOWN) {
        present = is_glibcs() ? YES : NO;
        atomic_store(&known, present);
    }
    return present == YES;
}

static struct actions actions_of(const posix_spawn_file_actions_t* object) {
    struct actions actions;
    memcpy(&actions, object, sizeof actions);
    return actions;
}

static bool close_from(int first) {
    return syscall(SYS_close_range, first, ~0U, 0) == 0;
}

static bool is_known(int tag) {
    /* Where the kernel or a filter refuses the call, libc looks into /proc. */
    return tag == CLOSE || tag == DUP2 || tag == OPEN || (tag == CLOSE_FROM && close_from(INT_MAX));
}

static bool read_actions(const posix_spawn_file_actions_t* object) {
    if (!knows_actions()) return false;
    const struct actions actions = actions_of(object);
    for (int i = 0; i < actions.used; ++i)
        if (!is_known(actions.list[i].tag)) return false;
    return true;
}

typedef int flags_function(const posix_spawnattr_t*, short*);
typedef int group_function(const posix_spawnattr_t*, pid_t*);
typedef int signals_function(const posix_spawnattr_t*, sigset_t*);

static void read_attributes(struct spawn* spawn, const posix_spawnattr_t* attributes) {
    NEXT(flags_function, posix_spawnattr_getflags);
    NEXT(group_function, posix_spawnattr_getpgroup);
    NEXT(signals_function, posix_spawnattr_getsigmask);
    NEXT(signals_function, posix_spawnattr_getsigdefault);
    posix_spawnattr_getflags_next(attributes, &spawn->flags);
    if (spawn->flags & POSIX_SPAWN_SETPGROUP)
        posix_spawnattr_getpgroup_next(attributes, &spawn->group);
    if (spawn->flags & POSIX_SPAWN_SETSIGMASK)
        posix_spawnattr_getsigmask_next(attributes, &spawn->mask);
    if (spawn->flags & POSIX_SPAWN_SETSIGDEF)
        posix_spawnattr_getsigdefault_next(attributes, &spawn->defaults);
}

bool spawn_read(struct spawn* spawn, const posix_spawn_file_actions_t* actions,
                const posix_spawnattr_t* attributes, const sigset_t* mask) {
    *spawn = (struct spawn){.actions = actions, .mask = *mask};
    if (attributes) read_attributes(spawn, attributes);
    return (spawn->flags & ~KNOWN_FLAGS) == 0 && (!actions || read_actions(actions));
}

static bool beyond_limit(int number) {
    struct rlimit limit;
    return number < 0 || getrlimit(RLIMIT_NOFILE, &limit) != 0 || (rlim_t)number >= limit.rlim_cur;
}

/* Closing a closed descriptor isn't an error. */
static bool do_close(int number) {
    return close(number) == 0 || !beyond_limit(number);
}

/* dup2 to the same number clears close-on-exec, as POSIX says of posix_spawn. */
static bool do_dup2(int number, int copy) {
    if (number != copy) return dup2(number, copy) >= 0;
    const int flags = fcntl(number, F_GETFD);
    return flags >= 0 && fcntl(number, F_SETFD, flags & ~FD_CLOEXEC) == 0;
}

static bool do_open(const struct action* action) {
    const int wanted = action->of.open.fd;
    close(wanted);
    const int got = open(action->of.open.path, action->of.open.flags, action->of.open.mode);
    if (got < 0 || got == wanted) return got >= 0;
    return dup2(got, wanted) >= 0 && close(got) == 0;
}

static bool act(const struct action* action) {
    switch (action->tag) {
        case CLOSE:
            return do_close(action->of.fd);
        case DUP2:
            return do_dup2(action->of.dup2.fd, action->of.dup2.copy);
        case OPEN:
            return do_open(action);
        case CLOSE_FROM:
            return close_from(action->of.fd);
        default:
            return false;
    }
}

/* libc's functions would change all threads, which are the parent's. */
static bool reset_ids(void) {
    return syscall(SYS_setresuid, -1, getuid(), -1) == 0 &&
           syscall(SYS_setresgid, -1, getgid(), -1) == 0;
}

int spawn_set_up(const struct spawn* spawn) {
    if ((spawn->flags & POSIX_SPAWN_SETSID) && setsid() < 0) return errno;
    if ((spawn->flags & POSIX_SPAWN_SETPGROUP) && setpgid(0, spawn->group) != 0) return errno;
    if ((spawn->flags & POSIX_SPAWN_RESETIDS) && !reset_ids()) return errno;
    if (!spawn->actions) return 0;
    const struct actions actions = actions_of(spawn->actions);
    for (int i = 0; i < actions.used; ++i)
        if (!act(&actions.list[i])) return errno;
    return 0;
}

void spawn_open_signals(const struct spawn* spawn) {
    enum { LAST = 64 };
    for (int number = 1; number <= LAST; ++number) {
        struct sigaction action;
        if (sigaction(number, NULL, &action) != 0) continue;
        const bool ignored = action.sa_handler == SIG_IGN;
        const bool reset =
            (spawn->flags & POSIX_SPAWN_SETSIGDEF) && sigismember(&spawn->defaults, number) == 1;
        if (action.sa_handler != SIG_DFL && (!ignored || reset)) signal(number, SIG_DFL);
    }
    sigprocmask(SIG_SETMASK, &spawn->mask, NULL);
}
