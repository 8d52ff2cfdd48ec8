/* libc's own posix_spawn and its arguments, found without a lock (next.h). posix_spawn makes the
 * same system calls as libc's popen and system, so a filter treats all alike. */
#ifndef NLSH_PRELOAD_POSIX_SPAWNS_H
#define NLSH_PRELOAD_POSIX_SPAWNS_H

#include <spawn.h>

int next_posix_spawn(pid_t* number, const char* path, const posix_spawn_file_actions_t* actions,
                     const posix_spawnattr_t* attributes, char* const* arguments);
/* Sets the child's signal mask, and signals that get their default action. Uses no heap. */
int next_attributes(posix_spawnattr_t* attributes, const sigset_t* mask, const sigset_t* defaults);
/* The list is on the heap. */
int next_actions_init(posix_spawn_file_actions_t* actions);
int next_actions_dup2(posix_spawn_file_actions_t* actions, int number, int copy);
int next_actions_close(posix_spawn_file_actions_t* actions, int number);
void next_actions_destroy(posix_spawn_file_actions_t* actions);

#endif
