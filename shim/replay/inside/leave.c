// The calls of ip and bridge that would leave the process or its namespace. A recording has their
// arguments as text; a replay compares this, answers what was answered, and does nothing.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim/replay/inside/calls.h"

enum { TEXT_MAX = 8192 };

void record_call(const char* text, int result) {
    if (state.mode != recording) return;
    const uint32_t error = result < 0 ? (uint32_t)errno : 0;
    record_parts('C', (const void*[]){&error, text}, (size_t[]){sizeof error, strlen(text)}, 2);
    errno = (int)error;
}

// A socket stays in the namespace in which it was opened.
static int has_its_sockets(size_t end) {
    struct item item;
    int opened = 0;
    for (size_t place = 0; place < end && next_item(state.tape, state.tape_size, &place, &item);)
        opened += item.kind == 'L';
    return opened == state.slots;
}

int replay_call(const char* text) {
    struct item item;
    size_t place = 0;
    if (next_asked('C', &place, &item) && item.size == 4 + strlen(text) &&
        memcmp(item.bytes + 4, text, item.size - 4) == 0 && has_its_sockets(place)) {
        state.next = place;
        ++state.outcome->called;
        errno = (int)number_at(&item, 0);
        return errno == 0 ? 0 : -1;
    }
    return differ_with(EPERM);
}

#define LEAVING(NAME, PARAMETERS, CALL, ...)                   \
    int NAME PARAMETERS;                                       \
    int NAME PARAMETERS {                                      \
        char text[TEXT_MAX];                                   \
        snprintf(text, sizeof text, #NAME " " __VA_ARGS__);    \
        if (state.mode == replaying) return replay_call(text); \
        const int result = (int)CALL;                          \
        record_call(text, result);                             \
        return result;                                         \
    }

#define TEXT(POINTER) ((POINTER) == NULL ? "" : (const char*)(POINTER))

LEAVING(setns, (int file, int kind), syscall(SYS_setns, file, kind), "%x", (unsigned)kind)
LEAVING(unshare, (int flags), syscall(SYS_unshare, flags), "%x", (unsigned)flags)
LEAVING(umount2, (const char* path, int flags), syscall(SYS_umount2, path, flags), "%x %s",
        (unsigned)flags, path)
LEAVING(mount,
        (const char* what, const char* where, const char* kind, unsigned long flags,
         const void* data),
        syscall(SYS_mount, what, where, kind, flags, data), "%lx %s|%s|%s|%s", flags, TEXT(what),
        TEXT(where), TEXT(kind), TEXT(data))
LEAVING(unlink, (const char* path), syscall(SYS_unlinkat, AT_FDCWD, path, 0), "%s", path)
LEAVING(mkdir, (const char* path, mode_t mode), syscall(SYS_mkdirat, AT_FDCWD, path, mode), "%o %s",
        mode, path)

pid_t fork(void) {
    spoil("fork");
    return state.mode == replaying ? differ_with(EAGAIN) : REAL(fork)();
}

// With success the tape ends here: what follows is another program.
int execvp(const char* file, char* const words[]) {
    char text[TEXT_MAX];
    size_t used = (size_t)snprintf(text, sizeof text, "execvp %s", file);
    for (size_t i = 0; words[i] != NULL && used < sizeof text; ++i)
        used += (size_t)snprintf(text + used, sizeof text - used, "|%s", words[i]);
    if (used >= sizeof text) spoil("many words");
    if (state.mode == replaying) {
        if (replay_call(text) == 0) _exit(0);
        return -1;
    }
    record_call(text, 0);
    end_recording(0);
    const int result = REAL(execvp)(file, words);
    forget_recording();
    return result;
}
