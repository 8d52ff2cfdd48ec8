/* Asks the server to run the program that the process is about to become (NLSH_EXEC). */
#ifndef NLSH_PRELOAD_EXEC_CALL_H
#define NLSH_PRELOAD_EXEC_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include "shim/wire/call.h"

struct exec_call {
    int socket;
    int32_t status; /* as wait() gives it */
    bool terminal;  /* stdout is a terminal */
    bool unchanged; /* the command was a show */
    bool to_stderr; /* the output belongs to stderr */
    bool by_socket; /* it ran over the passed netlink socket */
    uint32_t output_size;
    char* output;       /* in `body` */
    const char* reason; /* why it hasn't run */
    bool elsewhere;     /* the reason isn't the line: nlsh itself may run the line */
    const char* text;   /* the server's text, for the trace */
    char body[NLSH_OUTPUT_MAX + NLSH_TEXT_MAX + 1];
};

/* False: there is no server that can be trusted. */
bool exec_connect(struct exec_call* call);
enum exec_answer {
    EXEC_REAL,  /* nothing has run */
    EXEC_DONE,  /* the output must still be written */
    EXEC_ENTER, /* it is `ip netns exec`: the process enters the namespace itself */
};
struct program;
/* The socket is the caller's to close. */
enum exec_answer exec_ask(struct exec_call* call, const struct program* program,
                          const struct wire_late* late);

#endif
