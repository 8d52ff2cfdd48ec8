/* The streams that popen gave out. Atomic slots: no lock that a fork could leave taken. */
#ifndef NLSH_PRELOAD_TABLE_H
#define NLSH_PRELOAD_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

enum stream_kind {
    STREAM_NATIVE,  /* by the server or the engine */
    STREAM_SPAWNED, /* by an nlsh: the status is its process, the cookie its line's hash */
    STREAM_LIBCS    /* only its descriptor is known */
};
struct stream {
    int descriptor;  /* the program's */
    pid_t owner;     /* pclose in another process finds no child */
    int status;      /* the wait status, when socket is -1 */
    int socket;      /* where the status will come from, or -1 */
    uint32_t cookie; /* call_cookie of it: the number may have been closed and reused */
    unsigned char kind;
    bool reaped;  /* SIGCHLD was ignored: pclose finds no child */
    char* buffer; /* the stream's, on the heap: freed when that is closed */
};

/* A slot for a stream to be, -1 when all are taken. Then either publish or release it. */
int table_reserve(void);
void table_publish(int slot, FILE* file, const struct stream* stream);
void table_release(int slot);
/* Finds and removes. False when the stream isn't ours. */
bool table_take(FILE* file, struct stream* stream);

enum { TABLE_SLOTS = 64 };

/* One that libc has opened. */
void table_note(FILE* file);
/* Those of all streams. The count; -1: there was no slot for one of libc's. */
int table_descriptors(int descriptors[TABLE_SLOTS]);

/* What a later popen's child must not inherit. libc closes its own earlier streams there and knows
 * nothing of ours: while such a child held the reading end of one, an early pclose would wait for
 * it. */
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
