/* One call of the server: connects, asks, waits, and withdraws safely if the server doesn't answer.
 */
#ifndef NLSH_PRELOAD_CLIENT_H
#define NLSH_PRELOAD_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/client/relay.h"
#include "shim/wire/wire.h"

enum answer {
    ANSWER_REAL,   /* nothing has run: fall back */
    ANSWER_DONE,   /* status has the wait status */
    ANSWER_STREAM, /* the server waits for descriptors: call_give_streams */
};

/* The caller's descriptors that go with a request, in ascending order. */
enum streams {
    STREAMS_NONE,
    STREAMS_ERROR, /* of a popen: stderr */
    STREAMS_BOTH,  /* of a system: stdout and stderr */
};

struct call {
    int socket;           /* -1: closed */
    int slot;             /* where the connection is or will be kept (kept.h), or KEPT_NONE */
    bool passed;          /* our netlink socket went with the request */
    bool reused;          /* an earlier call made the socket: reads block */
    unsigned cpu;         /* of the server's thread */
    enum streams streams; /* sent with the request */
    enum streams open;    /* sent if the server asks for them */
    struct relay relay;   /* of a user's change */
    int32_t status;
    uint32_t output_size;
    char* output;       /* for DONE's output, NLSH_OUTPUT_MAX + NLSH_TEXT_MAX bytes; or NULL */
    const char* way;    /* for the trace; NULL: the server */
    const char* line;   /* the requested line, until call_finish */
    const char* reason; /* for ANSWER_REAL */
    bool line_declined; /* for ANSWER_REAL: nlsh -c would fall back, too */
    bool second_look;   /* for ANSWER_REAL: nlsh -c must compare the line with the real tools */
    char text[NLSH_TEXT_MAX + 1]; /* the server's text, for the trace */
};

/* The status of a line that the server's death cut off, as a shell gives for a child killed by
 * signal 9. */
enum { STATUS_CUT_OFF = (128 + 9) << 8 };

/* Connects, or takes a kept connection. False: no server (reason is set). A new socket may have any
 * number; 0..2 means that a standard descriptor was closed. */
bool call_connect(struct call* call);
bool call_connect_anew(struct call* call);
enum answer call_ask(struct call* call, enum nlsh_kind kind, const char* line);
/* Passes two descriptors to the server (-1: /dev/null). Then call call_finish. */
void call_give_streams(struct call* call, int output, int error);
/* Waits for DONE without a limit, and sets the status. */
void call_finish(struct call* call);
/* For a line that reads its standard input: asks the server for a line that the shell runs instead.
 * True: call->text has that line. Closes the connection. */
bool call_replace(struct call* call, const char* line);
void call_close(struct call* call);
/* The caller owns the socket from now on. */
int call_release(struct call* call);
/* Identifies a socket even if its number is reused; 0: not a socket. */
uint32_t call_cookie(int socket);

#endif
