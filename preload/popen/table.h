/* The streams that popen has returned. Atomic slots: a fork can't leave a lock taken. */
#ifndef NLSH_PRELOAD_TABLE_H
#define NLSH_PRELOAD_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

enum stream_kind {
    STREAM_NATIVE,  /* by the server or the engine */
    STREAM_SPAWNED, /* by a spawned nlsh: status has its process, cookie its line's hash */
    STREAM_LIBCS    /* only its descriptor is known */
};
struct stream {
    int descriptor;  /* the program's descriptor */
    pid_t owner;     /* pclose in another process finds no child */
    int status;      /* the wait status, if socket is -1 */
    int socket;      /* where the status comes from, or -1 */
    uint32_t cookie; /* the socket's call_cookie: its number may have been reused */
    unsigned char kind;
    bool reaped;  /* SIGCHLD was ignored: pclose finds no child */
    char* buffer; /* the stream's buffer on the heap, freed when it is closed */
};

/* Reserves a slot for a new stream; -1: none is free. Publish or release it. */
int table_reserve(void);
void table_publish(int slot, FILE* file, const struct stream* stream);
void table_release(int slot);
/* Finds and removes a stream. False: it isn't ours. */
bool table_take(FILE* file, struct stream* stream);

enum { TABLE_SLOTS = 64 };

/* Notes a stream that libc has opened. */
void table_note(FILE* file);
/* The descriptors of all streams. Returns their number; -1: a stream of libc's had no slot. */
int table_descriptors(int descriptors[TABLE_SLOTS]);

/* Streams that a later popen's child must not inherit. libc closes its own earlier streams in the
 * child, but doesn't know ours. If the child held a stream's read end, an early pclose would wait
 * for that child. */
struct hidden {
    size_t count;
    struct {
        int descriptor;
        ino_t pipe;
    } ends[TABLE_SLOTS];
};
void table_hide(struct hidden* hidden);
void table_unhide(const struct hidden* hidden);

#endif
