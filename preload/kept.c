#include "preload/kept.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim/netns/kept_socket.h"

enum { SLOTS = 4 };

enum state { FREE, BUSY, IDLE };

struct slot {
    _Atomic int state;
    unsigned cpu;
    struct kept_socket kept;
};

/* 1 + SLOTS, the first is none; from the first burst on. Zeroed in a fork's child, also one that
 * has its parent's number in a pid namespace of its own. */
static _Atomic(struct slot*) memory;

static _Atomic int64_t last_call;

/* NULL: there is none. */
static struct slot* make_slots(void) {
    const size_t size = (1 + SLOTS) * sizeof(struct slot);
    struct slot* fresh =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (fresh == MAP_FAILED) return NULL;
    struct slot* known = NULL;
    if (madvise(fresh, size, MADV_WIPEONFORK) == 0 &&
        atomic_compare_exchange_strong(&memory, &known, fresh)) {
        return fresh;
    }
    munmap(fresh, size);
    return known; /* another thread's */
}

static bool claim(struct slot* slot, int from) {
    return atomic_compare_exchange_strong(&slot->state, &from, BUSY);
}

int kept_take(unsigned cpu, int* socket) {
    struct slot* const slots = atomic_load(&memory);
    if (!slots) return KEPT_NONE;
    const pid_t thread = (pid_t)syscall(SYS_gettid);
    for (int i = 1; i <= SLOTS; ++i) {
        struct slot* const slot = &slots[i];
        if (atomic_load(&slot->state) != IDLE || !claim(slot, IDLE)) continue;
        if (!kept_socket_in_process(&slot->kept, thread)) {
            atomic_store(&slot->state, IDLE); /* a parent's, with whom vfork shares this */
            continue;
        }
        const bool ours = kept_socket_is_ours(&slot->kept);
        if (ours && slot->cpu == cpu && kept_socket_is_usable(&slot->kept, thread)) {
            *socket = slot->kept.number;
            return i;
        }
        if (ours) close(slot->kept.number);
        kept_drop(i);
    }
    return KEPT_NONE;
}

bool kept_forget(void) {
    struct slot* const slots = atomic_load(&memory);
    bool closed = false;
    for (int i = 1; slots && i <= SLOTS; ++i) {
        struct slot* const slot = &slots[i];
        if (!claim(slot, IDLE)) continue;
        if (slot->kept.owner != getpid()) {
            atomic_store(&slot->state, IDLE);
            continue;
        }
        if (kept_socket_is_ours(&slot->kept)) close(slot->kept.number);
        kept_drop(i);
        closed = true;
    }
    return closed;
}

int kept_reserve(void) {
    const int64_t now = kept_now_ms();
    const int64_t before = atomic_exchange(&last_call, now);
    if (before == 0 || now - before > NLSH_BURST_MS) return KEPT_NONE;
    struct slot* slots = atomic_load(&memory);
    if (!slots) slots = make_slots();
    for (int i = 1; slots && i <= SLOTS; ++i)
        if (claim(&slots[i], FREE)) return i;
    return KEPT_NONE;
}

/* The connection moves out of the program's way. */
static bool set_up(struct slot* slot, int socket, unsigned cpu) {
    slot->cpu = cpu;
    slot->kept.owner = getpid();
    slot->kept.cookie = socket_cookie(socket);
    if (slot->kept.cookie == 0) return false;
    slot->kept.number = kept_copy(socket);
    if (slot->kept.number < 0) return false;
    if (!thread_netns_open(&slot->kept.netns)) {
        close(slot->kept.number);
        return false;
    }
    close(socket);
    return true;
}

bool kept_put(int number, int socket, unsigned cpu, bool fresh) {
    struct slot* const slot = &atomic_load(&memory)[number];
    if (fresh && !set_up(slot, socket, cpu)) {
        kept_drop(number);
        return false;
    }
    slot->kept.used = kept_now_ms();
    atomic_store(&slot->state, IDLE);
    return true;
}

void kept_drop(int number) {
    struct slot* const slot = &atomic_load(&memory)[number];
    thread_netns_close(&slot->kept.netns);
    atomic_store(&slot->state, FREE);
}
