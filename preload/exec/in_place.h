/* A process that is about to become ip, bridge or a shell with one line: it has the server do that,
 * writes the output and ends with the status instead.
 *
 * It may be the child of a vfork, whose memory is that of its parent, who sleeps until it ends:
 * there is no heap, nothing of this library's that is written, no kept connection, and nothing
 * waits for what the parent would have to do. What isn't certain is left to exec, which finds all
 * as it was: it may fail, and who reads of that by a descriptor that exec closes shall. */
#ifndef NLSH_PRELOAD_IN_PLACE_H
#define NLSH_PRELOAD_IN_PLACE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

enum { FOUND_MAX = 256 };

struct program {
    const char* way; /* for the trace */
    const char* file;
    char* const* arguments;
    char* const* environment;
    const sigset_t* mask; /* the program's; NULL: the thread's own. Else all are blocked, and stay
                             so */
};

/* A look at the words; the file's name can be read. */
bool may_be_done_in_place(const char* file, char* const* arguments);
/* Whether there is a file that may be executed. errno is as before. */
enum there { IS_THERE, IS_MISSING, IS_FOR_EXEC_TO_SAY };
enum there program_is_there(const char* file);
struct instead; /* exec.h */
/* Of a program that is there. Returns when something must really be exec'd; errno is as before. */
void do_in_place(const struct program* program, struct instead* instead);
/* The first file of that name along the environment's PATH that may be executed, as execvp would
 * find it. False: none, or one below a directory that depends on where we stand. */
bool find_along_path(const char* name, char* const* environment, char* path, size_t size);

#endif
