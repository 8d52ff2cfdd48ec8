/* The work of posix_spawn in its child before the exec. */
#ifndef NLSH_PRELOAD_SPAWN_H
#define NLSH_PRELOAD_SPAWN_H

#include <signal.h>
#include <spawn.h>
#include <stdbool.h>

struct spawn {
    const posix_spawn_file_actions_t* actions; /* NULL: none */
    short flags;
    pid_t group;
    sigset_t mask;     /* the program's mask */
    sigset_t defaults; /* with POSIX_SPAWN_SETSIGDEF */
};

/* False: it contains something that we don't know. `mask`: the thread's own. */
bool spawn_read(struct spawn* spawn, const posix_spawn_file_actions_t* actions,
                const posix_spawnattr_t* attributes, const sigset_t* mask);
/* Runs in the child, which shares its parent's memory, with all signals blocked. 0, or an errno. */
int spawn_set_up(const struct spawn* spawn);
/* Removes the parent's handlers and sets the program's mask: the last step before an exec. */
void spawn_open_signals(const struct spawn* spawn);

#endif
