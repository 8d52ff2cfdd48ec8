/* What is known of the calling thread without asking the kernel again. */
#ifndef NLSH_PRELOAD_THREAD_H
#define NLSH_PRELOAD_THREAD_H

#include <stdbool.h>
#include <stdint.h>

/* Preloaded: there is room for these in each thread from its start, and no call finds them. */
#define THREAD_OWN static _Thread_local __attribute__((tls_model("initial-exec")))

/* Of no other thread of the process that there is or was: a thread begins with zeroed variables of
 * its own, also one that gets the memory, or the kernel's number, of one that has ended. A vfork's
 * child shares its parent's. */
uint64_t thread_number(void);
/* The kernel's other processes mean this one by the process's number: its rights are those that the
 * server sees. False also in the process that another thread has forked. */
bool thread_is_main(void);

#endif
