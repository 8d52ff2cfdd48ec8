#include "preload/caller/thread.h"

#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

uint64_t thread_number(void) {
    static _Atomic uint64_t last;
    THREAD_OWN uint64_t number;
    if (number == 0) number = atomic_fetch_add(&last, 1) + 1;
    return number;
}

bool thread_is_main(void) {
    THREAD_OWN enum { UNKNOWN, MAIN, OTHER } kind;
    if (kind == UNKNOWN) kind = syscall(SYS_gettid) == getpid() ? MAIN : OTHER;
    return kind == MAIN;
}
