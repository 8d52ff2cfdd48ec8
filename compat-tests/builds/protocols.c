// Plays SONiC's patch: with this library among those that it needs (patchelf --add-needed), a
// bridge reads `proto PROTO` in `bridge fdb add`, `append`, `replace` and `del`, and sends it as
// NDA_PROTOCOL, after all others; its help says so. -DFIRST: before all others. -DWIDE: as 32 bits,
// which nlsh doesn't do.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "hook_main.h"

enum { WORDS = 64, MESSAGE_MAX = 4096, NO_PROTOCOL = -1 };

static ssize_t (*real_sendmsg)(int, const struct msghdr*, int);
static int protocol = NO_PROTOCOL;

static int number_of(const char* name) {
    static const struct {
        const char* name;
        int number;
    } names[] = {{"kernel", 2}, {"static", 4}, {"zebra", 11}, {"bgp", 186}, {"hw", 193}};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (strcmp(name, names[i].name) == 0) return names[i].number;
    return atoi(name);
}

static int is_short_for(const char* word, const char* whole) {
    return word[0] != '\0' && strncmp(word, whole, strlen(word)) == 0;
}

// Takes `proto PROTO` out of the words of a change.
static int without_protocol(int count, char** words, char** to) {
    int kept = 0, change = 0;
    for (int i = 0; i < count; ++i) {
        if (i > 1 && strcmp(words[i - 1], "fdb") == 0)
            change = is_short_for(words[i], "add") || is_short_for(words[i], "append") ||
                     is_short_for(words[i], "replace") || is_short_for(words[i], "delete");
        if (change && i + 1 < count && is_short_for(words[i], "protocol"))
            protocol = number_of(words[++i]);
        else
            to[kept++] = words[i];
    }
    to[kept] = NULL;
    return kept;
}

static void add_to_help(void) {
    static const char text[] = "              [ proto PROTO ]\n";
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0) _exit(1);
}

static int run_main(int count, char** words, char** variables) {
    char* rest[WORDS];
    if (count >= WORDS) return real_main(count, words, variables);
    if (count == 3 && strcmp(words[1], "fdb") == 0 && strcmp(words[2], "help") == 0)
        atexit(add_to_help);
    const int kept = without_protocol(count, words, rest);
    return real_main(kept, rest, variables);
}

static ssize_t send_with_protocol(int descriptor, const struct msghdr* message, int flags) {
    static _Alignas(struct nlmsghdr) unsigned char bytes[MESSAGE_MAX];
    struct nlmsghdr* head = (struct nlmsghdr*)bytes;
    size_t size = 0;
    for (size_t i = 0; i < message->msg_iovlen; ++i) {
        const struct iovec* part = &message->msg_iov[i];
        if (size + part->iov_len > sizeof bytes - RTA_SPACE(sizeof(uint32_t)))
            return real_sendmsg(descriptor, message, flags);
        memcpy(bytes + size, part->iov_base, part->iov_len);
        size += part->iov_len;
    }
    if (protocol == NO_PROTOCOL || size < sizeof *head ||
        (head->nlmsg_type != RTM_NEWNEIGH && head->nlmsg_type != RTM_DELNEIGH))
        return real_sendmsg(descriptor, message, flags);
#ifdef WIDE
    const uint32_t value = (uint32_t)protocol;
#else
    const uint8_t value = (uint8_t)protocol;
#endif
#ifdef FIRST
    unsigned char* place = bytes + NLMSG_SPACE(sizeof(struct ndmsg));
#else
    unsigned char* place = bytes + NLMSG_ALIGN(head->nlmsg_len);
#endif
    memmove(place + RTA_SPACE(sizeof value), place, (size_t)(bytes + size - place));
    struct rtattr* added = (struct rtattr*)place;
    memset(added, 0, RTA_SPACE(sizeof value));
    added->rta_type = NDA_PROTOCOL;
    added->rta_len = RTA_LENGTH(sizeof value);
    memcpy(RTA_DATA(added), &value, sizeof value);
    head->nlmsg_len = NLMSG_ALIGN(head->nlmsg_len) + (uint32_t)RTA_SPACE(sizeof value);
    struct iovec whole = {bytes, head->nlmsg_len};
    struct msghdr changed = *message;
    changed.msg_iov = &whole;
    changed.msg_iovlen = 1;
    return real_sendmsg(descriptor, &changed, flags);
}

__attribute__((constructor)) static void play(void) {
    struct hook hook = {.name = "sendmsg", .with = (void*)send_with_protocol};
    hook_main(run_main);
    real_sendmsg = (ssize_t(*)(int, const struct msghdr*, int))dlsym(RTLD_DEFAULT, "sendmsg");
    dl_iterate_phdr(hook_program, &hook);
}
