#include "preload/client/kept.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "preload/caller/thread.h"
#include "shim/netns/kept_socket.h"

enum { SLOTS = 4 };

enum state { FREE, BUSY, IDLE };

struct slot {
    _Atomic int state;
    unsigned cpu;
    struct kept_socket kept;
};

/* Allocated in the first burst. The kernel zeroes this memory in a forked child, even if the
 * child's pid, in another pid namespace, equals its parent's. */
struct kept {
    _Atomic pid_t process;        /* 0: unknown */
    struct slot slots[1 + SLOTS]; /* slots[0] isn't used */
};
static _Atomic(struct kept*) memory;

static _Atomic int64_t last_call;

/* NULL: no memory. */
static struct kept* make_memory(void) {
    const size_t size = sizeof(struct kept);
    struct kept* fresh =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (fresh == MAP_FAILED) return NULL;
    struct kept* known = NULL;
    if (madvise(fresh, size, MADV_WIPEONFORK) == 0 &&
        atomic_compare_exchange_strong(&memory, &known, fresh)) {
        return fresh;
    }
    munmap(fresh, size);
    return known; /* another thread was faster */
}

pid_t kept_process(void) {
    enum { OFTEN = 4 }; /* a popen asks twice */
    static atomic_int asked;
    struct kept* kept = atomic_load(&memory);
    if (!kept && atomic_load(&asked) >= OFTEN) kept = make_memory();
    if (!kept) atomic_fetch_add(&asked, 1);
    pid_t process = kept ? atomic_load(&kept->process) : 0;
    if (process != 0) return process;
    process = getpid();
    if (kept) atomic_store(&kept->process, process);
    return process;
}

/* False: this is a vfork's child, and the slot is the parent's, whose memory the child shares. */
static bool is_mine(const struct slot* slot) {
    return slot->kept.owner == 0 || slot->kept.owner == getpid();
}

static bool claim(struct slot* slot, int from) {
    return atomic_compare_exchange_strong(&slot->state, &from, BUSY);
}

int kept_take(unsigned cpu, int* socket) {
    struct kept* const kept = atomic_load(&memory);
    if (!kept) return KEPT_NONE;
    const uint64_t thread = thread_number();
    for (int i = 1; i <= SLOTS; ++i) {
        struct slot* const slot = &kept->slots[i];
        if (atomic_load(&slot->state) != IDLE || !claim(slot, IDLE)) continue;
        const bool ours = kept_socket_is_ours(&slot->kept);
        if (ours && slot->cpu == cpu && kept_socket_is_usable(&slot->kept, thread)) {
            *socket = slot->kept.number;
            return i;
        }
        if (ours && is_mine(slot)) close(slot->kept.number);
        kept_drop(i);
    }
    return KEPT_NONE;
}

bool kept_forget(void) {
    struct kept* const kept = atomic_load(&memory);
    bool closed = false;
    for (int i = 1; kept && i <= SLOTS; ++i) {
        struct slot* const slot = &kept->slots[i];
        if (!claim(slot, IDLE)) continue;
        const bool mine = is_mine(slot);
        if (mine && kept_socket_is_ours(&slot->kept)) close(slot->kept.number);
        kept_drop(i);
        closed |= mine;
    }
    return closed;
}

int kept_reserve(void) {
    const int64_t now = kept_now_ms();
    const int64_t before = atomic_exchange(&last_call, now);
    if (before == 0 || now - before > NLSH_BURST_MS) return KEPT_NONE;
    struct kept* kept = atomic_load(&memory);
    if (!kept) kept = make_memory();
    for (int i = 1; kept && i <= SLOTS; ++i) {
        if (!claim(&kept->slots[i], FREE)) continue;
        kept->slots[i].kept.used = now;
        return i;
    }
    return KEPT_NONE;
}

/* Moves the connection to a number that programs don't use. */
static bool set_up(struct slot* slot, int socket, unsigned cpu) {
    slot->cpu = cpu;
    slot->kept.owner = kept_process();
    slot->kept.cookie = socket_cookie(socket);
    if (slot->kept.cookie == 0) return false;
    slot->kept.number = kept_copy(socket);
    if (slot->kept.number < 0) return false;
    if (!thread_netns_open(&slot->kept.netns, thread_number())) {
        close(slot->kept.number);
        return false;
    }
    close(socket);
    return true;
}

bool kept_put(int number, int socket, unsigned cpu, bool fresh) {
    struct slot* const slot = &atomic_load(&memory)->slots[number];
    if (fresh && !set_up(slot, socket, cpu)) {
        kept_drop(number);
        return false;
    }
    atomic_store(&slot->state, IDLE);
    return true;
}

void kept_drop(int number) {
    struct slot* const slot = &atomic_load(&memory)->slots[number];
    const bool mine = is_mine(slot);
    if (mine) {
        thread_netns_close(&slot->kept.netns);
        slot->kept.owner = 0;
    }
    atomic_store(&slot->state, mine ? FREE : IDLE);
}

bool kept_is_mine(int number) {
    return is_mine(&atomic_load(&memory)->slots[number]);
}

bool kept_is_there(int number) {
    return kept_socket_is_ours(&atomic_load(&memory)->slots[number].kept);
}
