/* The engine as a shared library (libnlsh-engine.so), for a preload that answers in its own
 * process: NLSH_ENGINE=inproc. C17 and C++. */
#ifndef NLSH_ENGINE_API_H
#define NLSH_ENGINE_API_H

#include <stddef.h>
#include <stdint.h>

#include "shim/wire/wire.h"

#ifdef __cplusplus
extern "C" {
#endif

#define NLSH_ENGINE_VERSION 1
#define NLSH_ENGINE_FUNCTION "nlsh_engine_run"

struct nlsh_engine_call {
    uint32_t version; /* NLSH_ENGINE_VERSION */
    uint8_t kind;     /* enum nlsh_kind */
    const char* line;
    int output;     /* popen: the write end of a pipe, still empty; system: 1 */
    int32_t status; /* set when it was done: as wait() gives it */
    char* text;     /* NLSH_TEXT_MAX + 1 bytes, or NULL: gets the reason, or what failed */
};

/* 1: done, all output is written or on its way. 0: nothing has run or been written, take the real
 * way. Errors go to descriptor 2. Any thread may call it, also several at once; signal handlers of
 * the program run before it and after it, and while it writes to descriptors that aren't a pipe of
 * its own. Keeps descriptors between calls, numbered 100 or more: an inotify instance, and in a
 * burst of calls up to four times a netlink socket and a link to its namespace; a fork is noticed.
 * The caller has cancellation disabled. */
int nlsh_engine_run(struct nlsh_engine_call* call);

#ifdef __cplusplus
}
#endif
#endif
