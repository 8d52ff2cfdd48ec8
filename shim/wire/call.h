/* The client's half of wire.h's protocol, once for the preload and for programs in C++ (client.h):
 * connecting, sending, waiting, withdrawing. C17, libc only; no heap and no state. */
#ifndef NLSH_WIRE_CALL_H
#define NLSH_WIRE_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/uio.h>

#include "shim/wire/wire.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The processor that this thread runs on: its server's thread is asked. */
unsigned wire_processor(void);
/* A non-blocking socket, connected to the server's thread for `cpu`, or to the first one's when the
 * server hadn't that processor at its start. Never blocks: EAGAIN when the backlog is full. -1:
 * errno; EPERM: who listens there is neither root nor this process's user. */
int wire_connect(const char* prefix, unsigned cpu);

/* Copies of these go with a message: the streams, unless NULL, and the netlink socket, unless -1.
 */
struct wire_descriptors {
    const int* streams; /* two */
    int netlink;
};
/* Sends a request in one message. Never blocks. False: the server hasn't got it. */
bool wire_send(int socket, const struct iovec* parts, size_t count,
               const struct wire_descriptors* descriptors);
/* A netlink socket to be passed (NLSH_NETLINK); -1. */
int wire_netlink_socket(void);
/* The answer to STREAM. Fails when the server is gone, or we have withdrawn: the next reply says
 * so. */
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
    int*
        apart; /* NULL, or where the connection goes that came with it (NLSH_KEPT_APART), else -1 */
    const char* line; /* NULL, or the line whose files are opened for the server (NLSH_OPEN) */
    const struct wire_late* late; /* NULL: nothing */
};

/* Waits until the socket is readable. False after timeout_ms (-1: no limit), also under signals. */
bool wire_wait(int socket, int timeout_ms);
/* Waits for a reply, however long. Answers OPEN meanwhile. 0: it came, and its sizes fit the body.
 * ECONNRESET: the server died with our last message unread. EPIPE: after reading it. */
int wire_receive(int socket, struct nlsh_reply* reply, const struct wire_body* body);
/* The same for the first reply to a request, or ETIMEDOUT: it hasn't come in time, and the server
 * will never run the request (wire.h, "Withdrawing"). `blocks`: the socket has a time limit of its
 * own (SO_RCVTIMEO). */
int wire_receive_first(int socket, struct nlsh_reply* reply, const struct wire_body* body,
                       bool blocks, int timeout_ms);

#ifdef __cplusplus
}
#endif
#endif
