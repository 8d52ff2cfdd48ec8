// Answers from a tape.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/netlink.h>
#include <net/if.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "shim/replay/inside/calls.h"
#include "shim/replay/inside/requests.h"

enum { REQUESTS_MAX = 3000, NOT_ON_TAPE = 119 };

// It can't go on as it would: what it says is no answer to what it asked.
void differ(void) {
    state.outcome->different = 1;
    if (!state.outcome->loose) _exit(NOT_ON_TAPE);
}

int differ_with(int error) {
    differ();
    errno = error;
    return -1;
}

int slot_of(int descriptor) {
    for (int slot = 0; slot < state.slots; ++slot)
        if (state.sockets[slot] == descriptor && descriptor >= 0) return slot;
    return -1;
}

static int read_item(size_t* place, struct item* item) {
    return next_item(state.tape, state.tape_size, place, item);
}

static int descriptor_with(const unsigned char* bytes, size_t size) {
    const int file = memfd_create("replayed", MFD_CLOEXEC);
    if (file < 0) return -1;
    if (write(file, bytes, size) != (ssize_t)size || lseek(file, 0, SEEK_SET) != 0) {
        close(file);
        errno = EIO;
        return -1;
    }
    return file;
}

static int is_path(const struct item* item, const char* path) {
    if (item->size < 5 || memchr(item->bytes + 4, 0, item->size - 4) == NULL) return 0;
    const char* known = (const char*)item->bytes + 4;
    if (strcmp(known, path) == 0) return 1;
    const char *ours = strstr(path, "/iproute2/"), *theirs = strstr(known, "/iproute2/");
    return ours && theirs && strcmp(ours, theirs) == 0;
}

// -1 and no error: the tape doesn't say.
int replay_open(const char* path) {
    struct item item;
    uint32_t error = 0;
    for (size_t place = 0; read_item(&place, &item);) {
        if ((item.kind != 'F' && item.kind != 'D') || !is_path(&item, path)) continue;
        error = number_at(&item, 0);
        if (error != 0) continue;  // the same table may be in another folder
        const size_t start = 4 + strlen((const char*)item.bytes + 4) + 1;
        if (item.kind == 'F') return descriptor_with(item.bytes + start, item.size - start);
        const uint32_t blob = number_at(&item, start);
        if (blob >= state.blob_count) break;
        return descriptor_with(state.blobs[blob], state.blob_sizes[blob]);
    }
    errno = (int)error;
    return -1;
}

static uint32_t sequence_of(const unsigned char* bytes, size_t size) {
    struct nlmsghdr head;
    if (size < sizeof head) return 0;
    memcpy(&head, bytes, sizeof head);
    return head.nlmsg_seq;
}

static unsigned type_of(const unsigned char* bytes, size_t size) {
    struct nlmsghdr head;
    if (size < sizeof head) return 0;
    memcpy(&head, bytes, sizeof head);
    return (unsigned)head.nlmsg_type << 16 | (head.nlmsg_flags & NLM_F_DUMP);
}

struct request {
    const unsigned char* bytes;
    size_t size;
};

int next_asked(char kind, size_t* place, struct item* item) {
    for (*place = state.next; read_item(place, item);) {
        if (item->kind == kind) return 1;
        if (strchr("SCI", item->kind) != NULL && !state.outcome->loose) return 0;
    }
    return 0;
}

static int is_same(const struct item* item, const struct request* asked, int loose) {
    if (item->kind != 'S' || item->size < 1) return 0;
    if (loose)
        return type_of(item->bytes + 1, item->size - 1) == type_of(asked->bytes, asked->size);
    return same_request(item->bytes + 1, item->size - 1, asked->bytes, asked->size);
}

// Where the answers to it begin; 0: it isn't there.
static size_t find_request(const struct request* asked, int loose, struct item* found) {
    for (size_t place = 0; read_item(&place, found);)
        if (is_same(found, asked, loose)) return place;
    return 0;
}

static size_t next_request(const struct request* asked, struct item* found) {
    size_t place = 0;
    if (!next_asked('S', &place, found)) return 0;
    state.outcome->entering = 0;
    return is_same(found, asked, 0) ? place : 0;
}

long replay_send(int slot, const unsigned char* bytes, size_t size) {
    const struct request asked = {bytes, size};
    static unsigned sent;
    struct item item;
    size_t answers = next_request(&asked, &item);
    if (answers != 0) {
        ++state.outcome->sent;
    } else {
        differ();
        answers = find_request(&asked, 0, &item);
        if (answers == 0) answers = find_request(&asked, 1, &item);
    }
    state.invented[slot] = answers == 0;
    if (answers == 0 && ++sent <= REQUESTS_MAX) {
        state.sequence[slot] = sequence_of(bytes, size);
        return (long)size;
    }
    if (++sent > REQUESTS_MAX) {
        errno = ENOBUFS;
        return -1;
    }
    state.next = answers;
    state.next_receive[slot] = answers;
    state.sequence[slot] = sequence_of(bytes, size) - sequence_of(item.bytes + 1, item.size - 1);
    return (long)size;
}

static void patch_sequences(unsigned char* bytes, size_t size, uint32_t added) {
    struct nlmsghdr head;
    while (size >= sizeof head) {
        memcpy(&head, bytes, sizeof head);
        if (head.nlmsg_len < sizeof head || head.nlmsg_len > size) return;
        if (head.nlmsg_seq != 0) head.nlmsg_seq += added;
        memcpy(bytes, &head, sizeof head);
        const size_t step = NLMSG_ALIGN(head.nlmsg_len);
        if (step >= size) return;
        bytes += step;
        size -= step;
    }
}

// To a probe of another build, which asks what the recorded one didn't: there is no such thing.
static unsigned char* invented_answer(int slot, int peek, size_t* size) {
    static struct {
        struct nlmsghdr head;
        struct nlmsgerr error;
    } answer;
    answer.head = (struct nlmsghdr){.nlmsg_len = sizeof answer,
                                    .nlmsg_type = NLMSG_ERROR,
                                    .nlmsg_seq = state.sequence[slot],
                                    .nlmsg_pid = replay_port(slot)};
    answer.error.error = -ENODEV;
    if (!peek) state.invented[slot] = 0;
    *size = sizeof answer;
    return (unsigned char*)&answer;
}

unsigned char* replay_datagram(int slot, int flags, size_t* size) {
    const int peek = flags & MSG_PEEK;
    struct item item;
    if (state.invented[slot]) return invented_answer(slot, peek, size);
    size_t place = state.next_receive[slot];
    while (read_item(&place, &item)) {
        // Of a slot of another number it is, too, if the program makes its sockets in another
        // order.
        if (item.kind == 'S' && item.size > 0 && item.bytes[0] == slot) break;
        if (item.kind != 'R' || item.size < 5) continue;
        if (!peek) state.next_receive[slot] = place;
        errno = (int)number_at(&item, 1);
        if (errno != 0) return NULL;
        static unsigned char datagram[256 * 1024];
        *size = item.size - 5;
        if (*size > sizeof datagram) *size = sizeof datagram;
        memcpy(datagram, item.bytes + 5, *size);
        patch_sequences(datagram, *size, state.sequence[slot]);
        return datagram;
    }
    errno = flags & MSG_DONTWAIT ? EAGAIN : ENOBUFS;
    if (errno == ENOBUFS) differ();
    return NULL;
}

uint32_t replay_port(int slot) {
    struct item item;
    for (size_t place = 0; read_item(&place, &item);) {
        if (item.kind != 'L' || item.size != 5 || item.bytes[0] != slot) continue;
        return number_at(&item, 1);
    }
    return 4242;
}

int replay_name(uint32_t* index, char* name, int by_name) {
    struct item item;
    for (size_t place = 0; read_item(&place, &item);) {
        if (item.kind != (by_name ? 'N' : 'X') || item.size < 4) continue;
        const size_t length = item.size - 4;
        if (by_name) {
            if (strlen(name) != length || memcmp(name, item.bytes + 4, length) != 0) continue;
            *index = number_at(&item, 0);
            return 0;
        }
        if (number_at(&item, 0) != *index || length >= IFNAMSIZ) continue;
        memcpy(name, item.bytes + 4, length);
        name[length] = 0;
        return 0;
    }
    differ();
    return -1;
}
