#include "preload/spawned/posix_spawns.h"

#include <unistd.h>

#include "preload/libc/next.h"

extern char** environ;

typedef int spawn_function(pid_t*, const char*, const posix_spawn_file_actions_t*,
                           const posix_spawnattr_t*, char* const*, char* const*);
typedef int init_function(posix_spawnattr_t*);
typedef int flags_function(posix_spawnattr_t*, short);
typedef int signals_function(posix_spawnattr_t*, const sigset_t*);
typedef int actions_function(posix_spawn_file_actions_t*);
typedef int dup2_function(posix_spawn_file_actions_t*, int, int);
typedef int close_function(posix_spawn_file_actions_t*, int);

int next_posix_spawn(pid_t* number, const char* path, const posix_spawn_file_actions_t* actions,
                     const posix_spawnattr_t* attributes, char* const* arguments) {
    NEXT(spawn_function, posix_spawn);
    return posix_spawn_next(number, path, actions, attributes, arguments, environ);
}

int next_attributes(posix_spawnattr_t* attributes, const sigset_t* mask, const sigset_t* defaults) {
    NEXT(init_function, posix_spawnattr_init);
    NEXT(flags_function, posix_spawnattr_setflags);
    NEXT(signals_function, posix_spawnattr_setsigmask);
    NEXT(signals_function, posix_spawnattr_setsigdefault);
    int error = posix_spawnattr_init_next(attributes);
    if (error == 0) error = posix_spawnattr_setsigmask_next(attributes, mask);
    if (error == 0) error = posix_spawnattr_setsigdefault_next(attributes, defaults);
    if (error == 0)
        error = posix_spawnattr_setflags_next(attributes,
                                              POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    return error;
}

int next_actions_init(posix_spawn_file_actions_t* actions) {
    NEXT(actions_function, posix_spawn_file_actions_init);
    return posix_spawn_file_actions_init_next(actions);
}

int next_actions_dup2(posix_spawn_file_actions_t* actions, int number, int copy) {
    NEXT(dup2_function, posix_spawn_file_actions_adddup2);
    return posix_spawn_file_actions_adddup2_next(actions, number, copy);
}

int next_actions_close(posix_spawn_file_actions_t* actions, int number) {
    NEXT(close_function, posix_spawn_file_actions_addclose);
    return posix_spawn_file_actions_addclose_next(actions, number);
}

void next_actions_destroy(posix_spawn_file_actions_t* actions) {
    NEXT(actions_function, posix_spawn_file_actions_destroy);
    posix_spawn_file_actions_destroy_next(actions);
}
