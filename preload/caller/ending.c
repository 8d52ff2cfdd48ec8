#include "preload/caller/ending.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FIRST = 1, LAST = 64 };

static bool has_handler(int number) {
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_IGN &&
           action.sa_handler != SIG_DFL;
}

static void drop_handler(int number) {
    if (has_handler(number)) signal(number, SIG_DFL);
}

static void take_pending(const sigset_t* mask) {
    sigset_t pending;
    bool any = false;
    if (sigpending(&pending) != 0) return;
    for (int number = FIRST; number <= LAST; ++number) {
        if (sigismember(&pending, number) != 1 || sigismember(mask, number) == 1) continue;
        drop_handler(number);
        any = true;
    }
    if (any) sigprocmask(SIG_SETMASK, mask, NULL);
}

/* Dies of the signal, if possible. */
static void die_of(int number) {
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, number);
    signal(number, SIG_DFL);
    kill(getpid(), number);
    sigprocmask(SIG_UNBLOCK, &one, NULL);
}

void end_with(int wait_status, const sigset_t* mask) {
    take_pending(mask);
    if (WIFSIGNALED(wait_status)) {
        die_of(WTERMSIG(wait_status));
        _exit(128 + WTERMSIG(wait_status));
    }
    _exit(WEXITSTATUS(wait_status));
}

void ending_open_signals(const sigset_t* mask) {
    for (int number = FIRST; number <= LAST; ++number)
        drop_handler(number);
    sigprocmask(SIG_SETMASK, mask, NULL);
}

/* As the kernel lays out struct sigaction, which differs from libc's. Nothing reads the fields. */
static void raw_action(int number, const unsigned long* set, unsigned long* get) {
    syscall(SYS_rt_sigaction, number, set, get, (_NSIG - 1) / 8);
}

void ending_open_signals_for_now(struct handlers* handlers, const sigset_t* mask) {
    for (int number = FIRST; number <= LAST; ++number) {
        if (!has_handler(number)) continue;
        raw_action(number, NULL, handlers->kept[number - FIRST]);
        handlers->dropped |= 1ULL << (number - FIRST);
        signal(number, SIG_DFL);
    }
    sigprocmask(SIG_SETMASK, mask, NULL);
}

void ending_put_back(const struct handlers* handlers) {
    sigset_t all;
    memset(&all, -1, sizeof all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    for (int number = FIRST; number <= LAST; ++number)
        if (handlers->dropped & 1ULL << (number - FIRST))
            raw_action(number, handlers->kept[number - FIRST], NULL);
}

void ending_forget(int number) {
    const struct timespec at_once = {0};
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, number);
    sigtimedwait(&one, NULL, &at_once);
}
