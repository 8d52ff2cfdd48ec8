/* The engine as a shared library (libnlsh-engine.so), for who answers in its own process: the
 * preload (NLSH_ENGINE=inproc) and bash's builtin. C17 and C++. */
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
    const char* kill_switch; /* a file: while it exists, nothing is run. Of a process one and the
                              * same in all calls */
    int output;              /* popen: the write end of a pipe, still empty; system: 1 */
    int32_t status;          /* set when it was done: as wait() gives it */
    char* text;              /* NLSH_TEXT_MAX + 1 bytes, or NULL: gets the reason, or what failed */
};

/* 1: done, all output is written or on its way. 0: nothing has run or been written, take the real
 * way. Errors go to descriptor 2. Any thread may call it, also several at once; signal handlers of
 * the program run before it and after it, and while it writes to descriptors that aren't a pipe of
 * its own. Keeps descriptors between calls, numbered 100 or more: an inotify instance, and in a
 * burst of calls up to four times a netlink socket and a link to its namespace; a fork is noticed.
 * The caller has cancellation disabled. */
int nlsh_engine_run(struct nlsh_engine_call* call);

#define NLSH_ENGINE_COMMAND_FUNCTION "nlsh_engine_run_command"

struct nlsh_engine_command {
    uint32_t version;         /* NLSH_ENGINE_VERSION */
    const char* file;         /* the ip or bridge that would be exec'd, and its argv */
    const char* const* words; /* ends with NULL */
    int32_t status;           /* set when it was done: as a shell's $? has it */
    uint8_t doubt; /* files may have changed since the last command: look everything up anew */
};

/* The same of one command, whose output goes to 1; `environ` is what it would be given. What the
 * preload looks at beforehand is looked at here: the kill switch, the caller's rights, where its
 * output goes; and NLSH_TRACE is told. */
int nlsh_engine_run_command(struct nlsh_engine_command* command);

#ifdef __cplusplus
}
#endif
#endif
