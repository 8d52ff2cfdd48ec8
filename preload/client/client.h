/* One call of the server: connect, ask, wait, and withdraw safely when it doesn't answer. */
#ifndef NLSH_PRELOAD_CLIENT_H
#define NLSH_PRELOAD_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include "shim/wire/wire.h"

enum answer {
    ANSWER_REAL,   /* nothing has run: take the real way */
    ANSWER_DONE,   /* status holds the wait status */
    ANSWER_STREAM, /* the server waits for descriptors: call_give_streams */
};

struct call {
    int socket;     /* -1 when closed */
    int slot;       /* of a connection that is kept, or to be (kept.h); KEPT_NONE */
    bool passed;    /* with a netlink socket of ours */
    bool reused;    /* it was kept by an earlier call: its number says nothing, and it blocks */
    unsigned cpu;   /* the server's thread's */
    bool prints;    /* the standard output and error are open, and go with the request */
    bool complains; /* a popen's standard error is open, and goes with the request */
    int32_t status;
    uint32_t output_size;
    char* output;     /* where DONE's output goes, NLSH_OUTPUT_MAX + NLSH_TEXT_MAX bytes; or NULL */
    const char* way;  /* for the trace; NULL: the server */
    const char* line; /* that is asked for, until call_finish */
    const char* reason;           /* of ANSWER_REAL */
    bool line_declined;           /* of ANSWER_REAL: nlsh -c would leave it to the shell, too */
    char text[NLSH_TEXT_MAX + 1]; /* what the server said, for the trace */
};

/* The status of a command that the server's death cut off: its shell's for a child killed by
 * signal 9. */
enum { STATUS_CUT_OFF = (128 + 9) << 8 };

/* Connects, or takes a connection that was kept. False: no server (reason is set). A new socket may
 * be any number; 0..2 means that a standard descriptor was closed. */
bool call_connect(struct call* call);
bool call_connect_anew(struct call* call);
enum answer call_ask(struct call* call, enum nlsh_kind kind, const char* line);
/* Hands two descriptors over, for -1 one of /dev/null; call_finish then waits. */
void call_give_streams(struct call* call, int output, int error);
/* Waits for DONE, however long: sets the status. */
void call_finish(struct call* call);
/* Is there a command line that stands in for one which reads its standard input? Then it is in
 * call->text, for the shell. Closes the connection. */
bool call_replace(struct call* call, const char* line);
void call_close(struct call* call);
/* The socket is the caller's from now on. */
int call_release(struct call* call);
/* What tells a socket from the others that it may have become; 0 for what isn't one. */
uint32_t call_cookie(int socket);

#endif
