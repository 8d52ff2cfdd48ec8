/* NLSH_TRACE=FILE: a line for each intercepted call, in the form of shim/process/trace.h:
 * popen, system, exec or spawn, native or fallback, exit status or "-", microseconds, line,
 * reason or failure, way. */
#ifndef NLSH_PRELOAD_TRACE_H
#define NLSH_PRELOAD_TRACE_H

#include <stdbool.h>
#include <stdint.h>

struct trace {
    const char* kind;
    bool native;
    bool has_status;
    int status;     /* as wait() gives it; -1: the call failed */
    uint64_t start; /* trace_clock() at the call's start */
    const char* detail;
    const char* way;     /* NULL: `server` (its own sockets), or `real` for a fallback */
    const char* command; /* the line; NULL: it is `words` */
    char* const* words;
};

/* Nanoseconds; 0: tracing is off. */
uint64_t trace_clock(void);
/* Keeps errno. */
void trace_call(const struct trace* trace);

#endif
