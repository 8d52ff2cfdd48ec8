/* `nlsh -c LINE` in place of `sh -c LINE`: no server answers this caller. The kernel gives the
 * child the rights, namespaces and filters that the shell and its ip would have had. */
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
    char function[96]; /* for nlsh: the function, what it notes of a line that falls back, and why
                          there is no server */
    char path[256];
};

/* function: popen or system; with a `+`, nlsh compares its output with the real tools'.
 * False: libc runs the line, because there is no nlsh, or it would probably fall back. `reason`:
 * why the server doesn't serve the call. */
bool spawned_prepare(struct spawned* spawned, const char* function, const char* line,
                     const char* reason);

/* The same for a process that is about to become a program, without the arguments. nlsh itself
 * notes in a file that the line has fallen back. */
bool spawned_prepare_exec(struct spawned* spawned, const char* function, const char* line,
                          const char* reason);

/* As libc's popen, with the modes "r", "re" and "w". NULL: nothing has run. */
FILE* spawned_popen(const struct spawned* spawned, const char* mode);

/* Like libc's system(). Cancellation is disabled on entry; while it waits it is as `cancelability`.
 * False: nothing has run. */
bool spawned_system(const struct spawned* spawned, int cancelability, int* status);
/* libc's system(), or, while another thread is in ours, a shell started as ours starts nlsh. */
int libcs_system(const char* line);

#endif
