/* posix_spawn() and posix_spawnp(): if the program is ip or bridge, a child of ours does what
 * posix_spawn's would, and asks the server to run the command. */
#include "preload/exec/spawn.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "preload/exec/exec.h"
#include "preload/exec/in_place.h"
#include "preload/libc/next.h"
#include "preload/libc/readable.h"

#define PUBLIC __attribute__((visibility("default")))

struct child {
    struct program program;
    struct spawn spawn;
    volatile int error; /* of the child, which shares this memory */
};

static _Noreturn void run_child(struct child* child) {
    child->error = spawn_set_up(&child->spawn);
    if (child->error == 0) {
        const bool there = program_is_there(child->program.file) == IS_THERE;
        struct instead instead = {0};
        if (there) do_in_place(&child->program, &instead);
        spawn_open_signals(&child->spawn);
        exec_now(&instead, child->program.environment);
        next_execve(child->program.file, child->program.arguments, child->program.environment);
        child->error = errno;
    }
    _exit(127);
}

/* 0: the child's number is set. Otherwise an errno: there is no child. */
static int start(struct child* child, pid_t* number) {
    const pid_t process = vfork();
    if (process == 0) run_child(child);
    if (process < 0) return errno;
    if (child->error != 0) {
        while (waitpid(process, NULL, 0) < 0 && errno == EINTR) {
        }
    } else if (number) {
        *number = process;
    }
    return child->error;
}

enum { FOR_THE_REAL_ONE = -1 };

/* Under such a limit libc's posix_spawn may fail to allocate a stack, which ours doesn't need. */
static bool memory_is_limited(void) {
    static const int kinds[] = {RLIMIT_AS, RLIMIT_DATA};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        struct rlimit limit;
        if (getrlimit((unsigned)kinds[i], &limit) != 0 || limit.rlim_cur != RLIM_INFINITY)
            return true;
    }
    return false;
}

static int spawn_in_place(pid_t* number, const struct program* program,
                          const posix_spawn_file_actions_t* actions,
                          const posix_spawnattr_t* attributes) {
    struct child child = {.program = *program};
    sigset_t all, mask;
    int cancelability;
    const int error = errno;
    if (memory_is_limited()) return FOR_THE_REAL_ONE;
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    if (!spawn_read(&child.spawn, actions, attributes, &mask)) return FOR_THE_REAL_ONE;
    child.program.mask = &child.spawn.mask;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelability);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    const int result = start(&child, number);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    pthread_setcancelstate(cancelability, NULL);
    errno = error;
    return result;
}

typedef int spawn_function(pid_t*, const char*, const posix_spawn_file_actions_t*,
                           const posix_spawnattr_t*, char* const*, char* const*);

PUBLIC int posix_spawn(pid_t* number, const char* path, const posix_spawn_file_actions_t* actions,
                       const posix_spawnattr_t* attributes, char* const arguments[],
                       char* const environment[]) {
    if (is_readable_text(path) && may_be_done_in_place(path, arguments)) {
        const struct program program = {"spawn", path, arguments, environment, NULL};
        const int result = spawn_in_place(number, &program, actions, attributes);
        if (result != FOR_THE_REAL_ONE) return result;
    }
    NEXT(spawn_function, posix_spawn);
    return posix_spawn_next(number, path, actions, attributes, arguments, environment);
}

PUBLIC int posix_spawnp(pid_t* number, const char* file, const posix_spawn_file_actions_t* actions,
                        const posix_spawnattr_t* attributes, char* const arguments[],
                        char* const environment[]) {
    char found[FOUND_MAX];
    const bool path = strchr(file, '/') != NULL;
    if (may_be_done_in_place(file, arguments) &&
        (path || find_along_path(file, environ, found, sizeof found))) {
        const struct program program = {"spawn", path ? file : found, arguments, environment, NULL};
        const int result = spawn_in_place(number, &program, actions, attributes);
        if (result != FOR_THE_REAL_ONE) return result;
    }
    NEXT(spawn_function, posix_spawnp);
    return posix_spawnp_next(number, file, actions, attributes, arguments, environment);
}
