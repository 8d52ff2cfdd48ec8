#include "preload/spawned/lapses.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "preload/libc/text.h"
#include "shim/netns/kept_socket.h"

enum { ENTRIES = 512, BELIEVED_S = 60 };

/* A hash, and the second until which it counts. */
typedef _Atomic uint64_t entry;
static _Atomic(entry*) entries;

static uint32_t now_s(void) {
    return (uint32_t)(kept_now_ms() / 1000);
}

bool lapsed_before(uint32_t hash) {
    entry* const all = atomic_load(&entries);
    const uint64_t known = all ? atomic_load(&all[hash % ENTRIES]) : 0;
    return known >> 32 == hash && (uint32_t)known > now_s();
}

static entry* make(void) {
    const size_t size = ENTRIES * sizeof(entry);
    entry* fresh = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (fresh == MAP_FAILED) return NULL;
    entry* known = NULL;
    if (atomic_compare_exchange_strong(&entries, &known, fresh)) return fresh;
    munmap(fresh, size);
    return known;
}

static void remember(uint32_t hash) {
    entry* all = atomic_load(&entries);
    if (!all) all = make();
    if (all) atomic_store(&all[hash % ENTRIES], (uint64_t)hash << 32 | (now_s() + BELIEVED_S));
}

/* "/proc/NUMBER/comm" */
static void name_file(char* path, pid_t child) {
    char digits[12];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + child % 10);
        child /= 10;
    } while (child);
    memcpy(path, "/proc/", 6);
    memcpy(path + 6, digits + at, sizeof digits - at);
    memcpy(path + 6 + sizeof digits - at, "/comm", 6);
}

void lapse_look(pid_t child, uint32_t hash) {
    char path[32], name[4] = "";
    name_file(path, child);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    const ssize_t got = read(file, name, sizeof name - 1);
    close(file);
    if (got == 3 && text_equal(name, "sh\n")) remember(hash);
}
