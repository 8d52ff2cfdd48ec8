#include "preload/table.h"

#include <stdatomic.h>
#include <stddef.h>

/* So many streams at once; with more of them the library would need another page in each process. */
enum { SLOTS = 64 };

static struct slot {
    _Atomic(FILE*) file; /* NULL: free */
    struct stream stream;
} slots[SLOTS];

static atomic_int streams_open; /* so that fclose of other files costs one load */

/* Marks a slot that is being filled or emptied: no FILE has this address. */
static FILE* busy(void) {
    return (FILE*)(void*)slots;
}

int table_reserve(void) {
    for (int i = 0; i < SLOTS; ++i) {
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
    for (int i = 0; i < SLOTS; ++i) {
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
