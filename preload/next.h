/* The functions that ours stand before, found without a lock and without writing anything: exec is
 * called in the child of a fork, where another thread's lock is never released, and of a vfork,
 * whose memory is its parent's. */
#ifndef NLSH_PRELOAD_NEXT_H
#define NLSH_PRELOAD_NEXT_H

/* NULL: there is none. */
void* next_address(const char* name);
/* A function of that type and name. Its address is never NULL in libcs that have it. */
#define NEXT(type, name)                            \
    void* const name##_found = next_address(#name); \
    type* name##_next;                              \
    memcpy(&name##_next, &name##_found, sizeof name##_next)

int next_execve(const char* path, char* const* arguments, char* const* environment);
int next_execvpe(const char* file, char* const* arguments, char* const* environment);

#endif
