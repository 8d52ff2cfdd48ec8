/* The client's half of wire.h's protocol: connecting, sending, waiting, withdrawing. The preload
 * and client.h (for C++) share it. C17, libc only; no heap and no state. */
#ifndef NLSH_WIRE_CALL_H
#define NLSH_WIRE_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/uio.h>

#include "shim/wire/wire.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The processor on which this thread runs: the client asks this processor's server thread. */
unsigned wire_processor(void);
/* A non-blocking socket, connected to the server's thread for `cpu`, or to the first thread if the
 * server didn't have that processor at its start. Never blocks: EAGAIN if the backlog is full. -1:
 * errno; EPERM: the listener is neither root nor this process's user. */
int wire_connect(const char* prefix, unsigned cpu);

/* Descriptors to send with a message: the streams, unless NULL, and the netlink socket, unless
 * -1. */
struct wire_descriptors {
    const int* streams; /* two */
    int netlink;
};
/* Sends a request in one message. Never blocks. False: the server hasn't got the request. */
bool wire_send(int socket, const struct iovec* parts, size_t count,
               const struct wire_descriptors* descriptors);
/* Opens a netlink socket to pass (NLSH_NETLINK). -1: failed. */
int wire_netlink_socket(void);
/* Answers STREAM. A failure shows in the next reply: the server is gone, or we have withdrawn. */
void wire_give_streams(int socket, bool sigpipe_ignored, int output, int error);

/* Called when a reply takes longer than some milliseconds, maybe several times. */
struct wire_late {
    void (*act)(void* of, int socket);
    void* of;
};

/* Where a reply's output goes, followed by its text. */
struct wire_body {
    char* bytes; /* output_max + text_max */
    size_t output_max;
    size_t text_max;
    int* apart; /* NULL, or gets the connection that came with the reply (NLSH_KEPT_APART), or -1 */
    const char* line; /* NULL, or the line whose files the server may ask us to open (NLSH_OPEN) */
    const struct wire_late* late; /* NULL: nothing */
};

/* Waits until the socket is readable, despite signals. False: timeout_ms (-1: no limit) has
 * passed. */
bool wire_wait(int socket, int timeout_ms);
/* Waits for a reply, without a limit. Answers OPEN meanwhile. 0: the reply came, and its sizes fit
 * the body. ECONNRESET: the server died before reading our last message. EPIPE: after reading
 * it. */
int wire_receive(int socket, struct nlsh_reply* reply, const struct wire_body* body);
/* The same for the first reply to a request. ETIMEDOUT: no reply in time, and the server will never
 * run the request (wire.h, "Withdrawing"). `blocks`: the socket has its own time limit
 * (SO_RCVTIMEO). */
int wire_receive_first(int socket, struct nlsh_reply* reply, const struct wire_body* body,
                       bool blocks, int timeout_ms);

#ifdef __cplusplus
}
#endif
#endif
