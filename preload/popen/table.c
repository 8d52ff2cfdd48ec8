#include "preload/popen/table.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/stat.h>

/* More slots would need another page in each process. */
static struct slot {
    _Atomic(FILE*) file; /* NULL: free */
    struct stream stream;
} slots[TABLE_SLOTS];

static atomic_int streams_open; /* so that fclose of other files costs one load */

/* Marks a slot that is being filled or emptied; no FILE has this address. */
static FILE* busy(void) {
    return (FILE*)(void*)slots;
}

int table_reserve(void) {
    for (int i = 0; i < TABLE_SLOTS; ++i) {
        FILE* expected = NULL;
        if (atomic_compare_exchange_strong(&slots[i].file, &expected, busy())) return i;
    }
    return -1;
}

void table_publish(int slot, FILE* file, const struct stream* stream) {
    slots[slot].stream = *stream;
    atomic_fetch_add(&streams_open, 1);
    atomic_store(&slots[slot].file, file);
}

void table_release(int slot) {
    atomic_store(&slots[slot].file, NULL);
}

bool table_take(FILE* file, struct stream* stream) {
    if (!file || atomic_load(&streams_open) == 0) return false;
    for (int i = 0; i < TABLE_SLOTS; ++i) {
        FILE* expected = file;
        if (atomic_load(&slots[i].file) != file) continue;
        if (!atomic_compare_exchange_strong(&slots[i].file, &expected, busy())) continue;
        *stream = slots[i].stream;
        atomic_fetch_sub(&streams_open, 1);
        table_release(i);
        return true;
    }
    return false;
}

static atomic_bool overflowed; /* a stream of libc's had no slot */

void table_note(FILE* file) {
    const int slot = table_reserve();
    if (slot < 0) {
        atomic_store(&overflowed, true);
        return;
    }
    const struct stream stream = {.kind = STREAM_LIBCS, .descriptor = fileno(file), .socket = -1};
    table_publish(slot, file, &stream);
}

static bool is_open(int slot) {
    FILE* const file = atomic_load(&slots[slot].file);
    return file && file != busy();
}

int table_descriptors(int descriptors[TABLE_SLOTS]) {
    if (atomic_load(&overflowed)) return -1;
    int count = 0;
    for (int i = 0; i < TABLE_SLOTS; ++i)
        if (is_open(i)) descriptors[count++] = slots[i].stream.descriptor;
    return count;
}

/* The inode of the pipe behind a descriptor; 0: it isn't a pipe. */
static ino_t pipe_of(int descriptor) {
    struct stat status;
    return fstat(descriptor, &status) == 0 && S_ISFIFO(status.st_mode) ? status.st_ino : 0;
}

void table_hide(struct hidden* hidden) {
    hidden->count = 0;
    if (atomic_load(&streams_open) == 0) return;
    for (int i = 0; i < TABLE_SLOTS; ++i) {
        if (!is_open(i) || slots[i].stream.kind == STREAM_LIBCS) continue;
        const int descriptor = slots[i].stream.descriptor;
        const ino_t pipe = pipe_of(descriptor);
        if (!pipe || fcntl(descriptor, F_GETFD) != 0) continue;
        fcntl(descriptor, F_SETFD, FD_CLOEXEC);
        hidden->ends[hidden->count].descriptor = descriptor;
        hidden->ends[hidden->count++].pipe = pipe;
    }
}

/* Another thread may have closed a stream, and its number may be another file's now. */
void table_unhide(const struct hidden* hidden) {
    for (size_t i = 0; i < hidden->count; ++i) {
        const int descriptor = hidden->ends[i].descriptor;
        if (pipe_of(descriptor) == hidden->ends[i].pipe) fcntl(descriptor, F_SETFD, 0);
    }
}
