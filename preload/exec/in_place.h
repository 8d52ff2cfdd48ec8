/* A process that is about to become ip, bridge or `sh -c LINE` asks the server to run the command,
 * writes the output and ends with the status.
 *
 * The process may be the child of a vfork, which shares the memory of its sleeping parent: so this
 * code uses no heap, writes no data of this library, uses no kept connection, and waits for nothing
 * that the parent would have to do. In any doubt it execs the program, with everything unchanged:
 * the exec may fail, and a reader of a close-on-exec descriptor must then see the failure. */
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
    const sigset_t* mask; /* the program's, if all signals are blocked; NULL: the thread's */
};

/* Whether the words name such a program. `file` must be readable memory. */
bool may_be_done_in_place(const char* file, char* const* arguments);
/* Whether the file exists and may be executed. Keeps errno. */
enum there { IS_THERE, IS_MISSING, IS_FOR_EXEC_TO_SAY };
enum there program_is_there(const char* file);
struct instead; /* exec.h */
/* For a program that exists. Returns if something must really be exec'd; keeps errno. */
void do_in_place(const struct program* program, struct instead* instead);
/* The first file of that name along the environment's PATH that may be executed, as execvp finds
 * it. False: there is none, or its directory is relative. */
bool find_along_path(const char* name, char* const* environment, char* path, size_t size);

#endif
