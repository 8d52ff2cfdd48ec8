/* system() by a spawned nlsh. Acts as libc's system(), without heap and lock. If a thread is
 * cancelled while it waits, the destructor of a thread-specific value kills and reaps the child.
 * Only this way works in C with both musl and glibc. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "preload/caller/dispositions.h"
#include "preload/libc/real.h"
#include "preload/spawned/lapses.h"
#include "preload/spawned/posix_spawns.h"
#include "preload/spawned/spawned.h"

/* Ends the child for which the thread waited. After a jump out of a signal handler the value may be
 * old, so ask the kernel whether the child is still ours. */
static void end_child(void* value) {
    const pid_t child = (pid_t)(intptr_t)value;
    siginfo_t info;
    if (syscall(SYS_waitid, P_PID, child, &info, WEXITED | WNOHANG | WNOWAIT, NULL) != 0) return;
    kill(child, SIGKILL);
    while (syscall(SYS_wait4, child, NULL, 0, NULL) < 0 && errno == EINTR) {
    }
    dispositions_restore();
}

/* False: no key is left whose values need no heap. */
static bool find_key(pthread_key_t* found) {
    enum { HEAPLESS = 32 }; /* glibc's first block of a thread's values */
    enum { NONE, MAKING, MADE, FAILED };
    static _Atomic int state;
    static pthread_key_t key;
    int known = NONE;
    if (atomic_compare_exchange_strong(&state, &known, MAKING)) {
        known = pthread_key_create(&key, end_child) == 0 && key < HEAPLESS ? MADE : FAILED;
        atomic_store(&state, known);
    }
    *found = key;
    return known == MADE;
}

/* Waits as libc does. Looks at the ended child before reaping it. */
static int wait_for(pid_t child, uint32_t hash) {
    siginfo_t info;
    while (waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
    }
    if (hash != 0) lapse_look(child, hash);
    int status;
    pid_t waited;
    while ((waited = waitpid(child, &status, 0)) < 0 && errno == EINTR) {
    }
    return waited == child ? status : -1;
}

struct program {
    const char* path;
    char* const* arguments;
    uint32_t hash; /* of nlsh's line; 0: the child is the shell */
};

/* Not inlined, so that a fallback to libc's system() doesn't carry this function's stack. */
__attribute__((noinline)) static bool run(const struct program* program, int cancelability,
                                          int* status) {
    /* The child of the outer call, if this call runs in a signal handler. */
    static _Thread_local __attribute__((tls_model("initial-exec"))) pid_t waiting;
    pthread_key_t key;
    sigset_t chld, mask, defaults;
    if (!find_key(&key)) return false;
    sigemptyset(&defaults);
    if (!dispositions_ignore(&defaults)) return false;
    sigemptyset(&chld);
    sigaddset(&chld, SIGCHLD);
    pthread_sigmask(SIG_BLOCK, &chld, &mask);
    posix_spawnattr_t attributes;
    pid_t child;
    const bool started =
        next_attributes(&attributes, &mask, &defaults) == 0 &&
        next_posix_spawn(&child, program->path, NULL, &attributes, program->arguments) == 0;
    if (started) {
        const pid_t before = waiting;
        waiting = child;
        pthread_setspecific(key, (void*)(intptr_t)child);
        pthread_setcancelstate(cancelability, NULL);
        *status = wait_for(child, program->hash);
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
        waiting = before;
        pthread_setspecific(key, (void*)(intptr_t)before);
    }
    const int error = errno;
    dispositions_restore();
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    errno = error;
    return started;
}

bool spawned_system(const struct spawned* spawned, int cancelability, int* status) {
    const struct program nlsh = {.path = spawned->file ? spawned->file : spawned->path,
                                 .arguments = spawned->arguments,
                                 .hash = spawned->hash};
    return run(&nlsh, cancelability, status);
}

int libcs_system(const char* line) {
    int status;
    if (dispositions_enter_libcs()) {
        status = real_system(line);
        dispositions_leave_libcs();
        return status;
    }
    char* const arguments[] = {(char*)(size_t)"sh", (char*)(size_t)"-c", (char*)(size_t)line, NULL};
    const struct program shell = {.path = "/bin/sh", .arguments = arguments};
    const int error = errno;
    int cancelability;
    pthread_testcancel();
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelability);
    const bool done = run(&shell, cancelability, &status);
    pthread_setcancelstate(cancelability, NULL);
    if (done && status != -1) errno = error;
    return done ? status : real_system(line);
}
