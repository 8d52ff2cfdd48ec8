/* The functions that ours stand before, found without a lock and without writing anything: exec is
 * called in the child of a fork, where another thread's lock is never released, and of a vfork,
 * whose memory is its parent's. */
#ifndef NLSH_PRELOAD_NEXT_H
#define NLSH_PRELOAD_NEXT_H

#include <stdbool.h>

/* NULL: there is none. */
void* next_address(const char* name);
/* A function of that type and name. Its address is never NULL in libcs that have it. */
#define NEXT(type, name)                            \
    void* const name##_found = next_address(#name); \
    type* name##_next;                              \
    memcpy(&name##_next, &name##_found, sizeof name##_next)

/* This library's own path; NULL: the dynamic linker keeps no list that can be read. */
const char* own_file(void);

/* Does the program, or a library that is loaded with it, import popen or system? A pure look at
 * their tables of symbols. False also where there is no list of them. */
bool program_calls(void);

int next_execve(const char* path, char* const* arguments, char* const* environment);
int next_execvpe(const char* file, char* const* arguments, char* const* environment);

#endif
