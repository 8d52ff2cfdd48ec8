/* A process that is about to become ip, bridge or a shell with one line: it has the server do that,
 * writes the output and ends with the status instead.
 *
 * It may be the child of a vfork, whose memory is that of its parent, who sleeps until it ends:
 * there is no heap, nothing of this library's that is written, no kept connection, and nothing
 * waits for what the parent would have to do. What isn't certain is left to exec, which finds all
 * as it was but for the descriptors that it would have closed itself. */
#ifndef NLSH_PRELOAD_IN_PLACE_H
#define NLSH_PRELOAD_IN_PLACE_H

#include <stdbool.h>

struct program {
    const char* way; /* for the trace */
    const char* file;
    char* const* arguments;
    char* const* environment;
};

/* A pure look at the words. */
bool may_be_done_in_place(const char* file, char* const* arguments);
/* Returns when it must really be exec'd; errno is as before. */
void do_in_place(const struct program* program);
/* The same of a file that execvp would look for along PATH. */
void do_in_place_along_path(const struct program* program);

#endif
