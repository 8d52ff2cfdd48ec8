/* The engine as a shared library (libnlsh-engine.so), for answers in the caller's own process: by
 * the preload (NLSH_ENGINE=inproc) and bash's builtin. C17 and C++. A caller of another
 * NLSH_ENGINE_VERSION gets 0: its lines fall back. */
#ifndef NLSH_ENGINE_API_H
#define NLSH_ENGINE_API_H

#include <stddef.h>
#include <stdint.h>

#include "shim/wire/wire.h"

#ifdef __cplusplus
extern "C" {
#endif

#define NLSH_ENGINE_VERSION 2
#define NLSH_ENGINE_FUNCTION "nlsh_engine_run"

struct nlsh_engine_call {
    uint32_t version; /* NLSH_ENGINE_VERSION */
    uint8_t kind;     /* enum nlsh_kind */
    const char* line;
    const char* kill_switch;    /* a file: while it exists, nothing is run. All calls of a process
                                 * must name the same file */
    int output;                 /* popen: the write end of a pipe, still empty; system: 1 */
    int32_t status;             /* set when it was done: as wait() gives it. If it wasn't: 0, or: */
#define NLSH_ENGINE_ELSEWHERE 1 /* `nlsh -c` would run it natively */
#define NLSH_ENGINE_LOOK 2      /* the same, and it is to compare it with the real tools */
    char* text; /* NLSH_TEXT_MAX + 1 bytes, or NULL: gets the reason, or what failed */
};

/* Returns 1 if the line has run (all output is written or on its way), 0 if nothing has run or been
 * written: the line falls back. Errors go to descriptor 2. Thread-safe. The program's signal
 * handlers run before and after it, and while it writes to descriptors other than a pipe of its
 * own. Keeps descriptors between calls, numbered 100 or more: an inotify instance, and in a burst
 * up to four netlink sockets with links to their namespaces. Notices forks. The caller has disabled
 * cancellation. */
int nlsh_engine_run(struct nlsh_engine_call* call);

#define NLSH_ENGINE_COMMAND_FUNCTION "nlsh_engine_run_command"

struct nlsh_engine_command {
    uint32_t version;         /* NLSH_ENGINE_VERSION */
    const char* file;         /* the ip or bridge that would be exec'd, and its argv */
    const char* const* words; /* ends with NULL */
    int32_t status;           /* set when it was done: as a shell's $? has it */
    uint8_t doubt; /* files may have changed since the last command: look everything up anew */
};

/* Runs one command; its output goes to descriptor 1, its environment is `environ`. Makes the checks
 * that the preload makes itself: the kill switch, the caller's rights, its outputs. Writes to
 * NLSH_TRACE. */
int nlsh_engine_run_command(struct nlsh_engine_command* command);

#ifdef __cplusplus
}
#endif
#endif
