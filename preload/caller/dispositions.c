#include "preload/caller/dispositions.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

/* The number of threads in our system() (low half) and in libc's. */
enum { OURS = 1, LIBCS = 1 << 16 };
static _Atomic unsigned users;

static bool is_ours(unsigned count) {
    return (count & (LIBCS - 1)) != 0;
}

/* False: a thread is in the other system(), libc's or ours. */
static bool enter(unsigned step) {
    unsigned count = atomic_load(&users);
    do {
        if (count != 0 && is_ours(count) != (step == OURS)) return false;
    } while (!atomic_compare_exchange_weak(&users, &count, count + step));
    return true;
}

bool dispositions_enter_libcs(void) {
    return enter(LIBCS);
}

void dispositions_leave_libcs(void) {
    atomic_fetch_sub(&users, LIBCS);
}

enum { SIGNALS = 2 };
static const unsigned char signals[SIGNALS] = {SIGINT, SIGQUIT};

/* The program's own dispositions, with the kernel's masks of 64 signals, because the library's data
 * is one page. When several threads replace a disposition, the kernel returns the program's own to
 * one of them only. */
static struct {
    void (*handler)(int);
    unsigned long mask;
    int flags;
    atomic_bool known;
} programs[SIGNALS];

static void ignore(void) {
    for (int i = 0; i < SIGNALS; ++i) {
        struct sigaction before;
        const struct sigaction none = {.sa_handler = SIG_IGN};
        if (sigaction(signals[i], &none, &before) != 0 || before.sa_handler == SIG_IGN) continue;
        programs[i].handler = before.sa_handler;
        programs[i].flags = before.sa_flags;
        memcpy(&programs[i].mask, &before.sa_mask, sizeof programs[i].mask);
        atomic_store(&programs[i].known, true);
    }
}

static void restore(void) {
    for (int i = 0; i < SIGNALS; ++i) {
        if (!atomic_exchange(&programs[i].known, false)) continue;
        struct sigaction before = {.sa_handler = programs[i].handler,
                                   .sa_flags = programs[i].flags};
        memcpy(&before.sa_mask, &programs[i].mask, sizeof programs[i].mask);
        sigaction(signals[i], &before, NULL);
    }
}

bool dispositions_ignore(sigset_t* defaults) {
    if (!enter(OURS)) return false;
    ignore();
    for (int i = 0; i < SIGNALS; ++i)
        if (atomic_load(&programs[i].known)) sigaddset(defaults, signals[i]);
    return true;
}

void dispositions_restore(void) {
    unsigned count = atomic_load(&users);
    for (;;) {
        const bool last = count == OURS;
        if (last) restore();
        if (atomic_compare_exchange_strong(&users, &count, count - OURS)) return;
        if (last) ignore(); /* another thread has come meanwhile */
    }
}
