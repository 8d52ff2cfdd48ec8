/* Facts about the calling thread that need no system call. */
#ifndef NLSH_PRELOAD_THREAD_H
#define NLSH_PRELOAD_THREAD_H

#include <stdbool.h>
#include <stdint.h>

/* The library is preloaded, so each thread has room for these from its start, and access needs no
 * call. */
#define THREAD_OWN static _Thread_local __attribute__((tls_model("initial-exec")))

/* Unique among all threads that the process ever had: a thread begins with zeroed variables, even
 * if it gets the memory or the kernel's number of an ended one. A vfork's child shares its
 * parent's. */
uint64_t thread_number(void);
/* Whether the process's number stands for this thread, so that the server inspects its rights.
 * False also in a process that another thread has forked. */
bool thread_is_main(void);

#endif
