/* Runs `nlsh -c LINE` in place of `sh -c LINE`, for callers that no server answers. The kernel
 * gives the child the rights, namespaces and filters that the shell and its ip would have had. */
#ifndef NLSH_PRELOAD_SPAWNED_H
#define NLSH_PRELOAD_SPAWNED_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The program to start. */
struct spawned {
    const char* line;
    uint32_t hash;    /* of the line */
    const char* file; /* NULL: see path */
    char* arguments[5];
    char function[96]; /* nlsh's argv[0]: the function, the hash to note if the line falls back, and
                          why no server answers */
    char path[256];
};

/* function: popen or system; with a `+`, nlsh compares its output with the real tools'. False: let
 * libc run the line, because nlsh is missing or would probably fall back. `reason`: why the server
 * doesn't serve the call. */
bool spawned_prepare(struct spawned* spawned, const char* function, const char* line,
                     const char* reason);

/* The same before an exec, without the arguments. Here nlsh itself notes, in a file, that the line
 * fell back. */
bool spawned_prepare_exec(struct spawned* spawned, const char* function, const char* line,
                          const char* reason);

/* As libc's popen, with the modes "r", "re" and "w". NULL: nothing has run. */
FILE* spawned_popen(const struct spawned* spawned, const char* mode);

/* Like libc's system(). Call with cancellation disabled; while waiting, this sets `cancelability`.
 * False: nothing has run. */
bool spawned_system(const struct spawned* spawned, int cancelability, int* status);
/* Calls libc's system(). While another thread is in our system(), starts a shell as we start
 * nlsh. */
int libcs_system(const char* line);

#endif
