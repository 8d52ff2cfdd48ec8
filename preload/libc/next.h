/* Finds the functions that ours replace. Takes no lock, because exec is called in a forked child,
 * where another thread's lock is never released. Writes nothing, because a vfork's child shares its
 * parent's memory. */
#ifndef NLSH_PRELOAD_NEXT_H
#define NLSH_PRELOAD_NEXT_H

#include <stdbool.h>
#include <string.h>

/* NULL: there is none. */
void* next_address(const char* name);
/* A function of that type and name. Its address isn't NULL in libcs that have it. */
#define NEXT(type, name)                            \
    void* const name##_found = next_address(#name); \
    type* name##_next;                              \
    memcpy(&name##_next, &name##_found, sizeof name##_next)

/* This library's own path; NULL: the dynamic linker's list can't be read. */
const char* own_file(void);

/* Whether the program, or a library loaded with it, imports popen or system. Reads only their
 * symbol tables. Also false if there is no list of libraries. */
bool program_calls(void);

int next_execve(const char* path, char* const* arguments, char* const* environment);
int next_execvpe(const char* file, char* const* arguments, char* const* environment);

#endif
