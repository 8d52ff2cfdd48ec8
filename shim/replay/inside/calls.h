// What the preload does in place of a program's calls: it records them, or it answers them.
#pragma once

#include <stdint.h>

#include "shim/replay/tape.h"

enum mode { idle, recording, replaying };

enum { SLOTS = 16 };

// Of the process: a preload has nowhere else to put it.
struct state {
    enum mode mode;
    int sockets[SLOTS];  // descriptors by slot, -1: closed
    int slots;           // so many were made
    // Recording.
    unsigned char* made;
    size_t made_size, made_room;
    // Replaying.
    const unsigned char* tape;  // the items of one process
    size_t tape_size;
    const unsigned char* const* blobs;
    const uint32_t* blob_sizes;
    uint32_t blob_count;
    size_t next;                 // in the tape: no S, C or I before it is left
    size_t next_receive[SLOTS];  // in the tape, by slot
    uint32_t sequence[SLOTS];    // to be added to a recorded answer's
    int invented[SLOTS];         // the next answer isn't on the tape
    int terminal;
    struct outcome* outcome;  // shared with the server
};

// What the server learns of a process beside its status and output.
struct outcome {
    uint32_t sent;       // messages that were as recorded
    uint32_t called;     // other calls, too
    uint32_t different;  // not 0: something was asked that the tape doesn't have
    uint32_t loose;      // answers to requests that weren't exactly as recorded are allowed
    uint32_t entering;   // a namespace: it has asked nothing there yet
};

extern struct state state;

void record(char kind, const void* bytes, size_t size);
void record_parts(char kind, const void* const parts[], const size_t sizes[], int count);
// Why this process can't be replayed.
void spoil(const char* reason);

// The next request, ioctl or other call of the tape's process, which is of that kind: S, I or C.
// *place is behind it. False: the tape's process asked something else, or nothing.
int next_asked(char kind, size_t* place, struct item* item);

// For the calls: -1 with errno, as the call would have it.
int slot_of(int descriptor);
int replay_open(const char* path);
long replay_send(int slot, const unsigned char* bytes, size_t size);
// The datagram that is received next; its sequence numbers are patched. NULL: an error, in errno.
unsigned char* replay_datagram(int slot, int flags, size_t* size);
// Of a call that isn't made. Its arguments as a text, and what it has returned: 0, or -1 and errno.
void record_call(const char* text, int result);
int replay_call(const char* text);
uint32_t replay_port(int slot);
// Of a look-up by name or, without one, by index.
int replay_name(uint32_t* index, char* name, int by_name);
// The tape has no answer.
void differ(void);
// The same, for a call that fails with this error: -1.
int differ_with(int error);
// libc's function, which ours replaces.
#define REAL(NAME) ((__typeof__(&(NAME)))dlsym(RTLD_NEXT, #NAME))

// Of a socket that isn't netlink's: tunnels' ioctls depend on it. Returns the descriptor.
int note_domain(int descriptor, int domain);

void begin_recording(int argc, char** argv);
void end_recording(int status);
// The program that followed in its place didn't start: there is no tape of it.
void forget_recording(void);
int serve_replays(int (*main)(int, char**, char**));
// No rights, no new ones, no calls that would reach the machine. 0: done.
int confine(void);
// And no process of its own, which would outlive it.
int confine_process(void);
