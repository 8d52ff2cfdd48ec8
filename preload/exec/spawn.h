/* What posix_spawn does in its child before the exec. */
#ifndef NLSH_PRELOAD_SPAWN_H
#define NLSH_PRELOAD_SPAWN_H

#include <signal.h>
#include <spawn.h>
#include <stdbool.h>

struct spawn {
    const posix_spawn_file_actions_t* actions; /* NULL: none */
    short flags;
    pid_t group;
    sigset_t mask;     /* the program's */
    sigset_t defaults; /* with POSIX_SPAWN_SETSIGDEF */
};

/* False: there is something in it that we don't know. `mask`: the thread's own. */
bool spawn_read(struct spawn* spawn, const posix_spawn_file_actions_t* actions,
                const posix_spawnattr_t* attributes, const sigset_t* mask);
/* In the child, whose memory is its parent's, with all signals blocked. 0, or errno. */
int spawn_set_up(const struct spawn* spawn);
/* No handler of the parent's, and the program's own mask: the last before an exec. */
void spawn_open_signals(const struct spawn* spawn);

#endif
