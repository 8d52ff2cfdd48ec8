/* A process asks the server to do what it is about to become (NLSH_EXEC). */
#ifndef NLSH_PRELOAD_EXEC_CALL_H
#define NLSH_PRELOAD_EXEC_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include "shim/wire/call.h"

struct exec_call {
    int socket;
    int32_t status; /* as wait() gives it */
    bool terminal;  /* stdout is one */
    bool unchanged; /* a mere show */
    bool to_stderr; /* the output is */
    uint32_t output_size;
    char* output;       /* in `body` */
    const char* reason; /* why it wasn't done */
    bool elsewhere;     /* that is none of the line's: nlsh itself may do it */
    const char* text;   /* what the server said, for the trace */
    char body[NLSH_OUTPUT_MAX + NLSH_TEXT_MAX + 1];
};

/* False: no server, or none to be believed. */
bool exec_connect(struct exec_call* call);
enum exec_answer {
    EXEC_REAL,  /* nothing has been done */
    EXEC_DONE,  /* the output is still to be written */
    EXEC_ENTER, /* it is `ip netns exec`, which the process does itself */
};
struct program;
/* The socket is the caller's to close. */
enum exec_answer exec_ask(struct exec_call* call, const struct program* program,
                          const struct wire_late* late);

#endif
