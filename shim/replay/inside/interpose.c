// The calls of ip and bridge that reach the kernel's network, files and other programs.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim/replay/inside/calls.h"

struct state state;

// --- sockets

static int new_slot(int descriptor) {
    if (descriptor < 0) return -1;
    if (state.slots == SLOTS) {
        spoil("too many sockets");
        differ();
        return -1;
    }
    state.sockets[state.slots++] = descriptor;
    return descriptor;
}

int socket(int domain, int type, int protocol) {
    if (state.mode == replaying) {
        if (domain != AF_NETLINK) return note_domain(memfd_create("socket", MFD_CLOEXEC), domain);
        return new_slot(memfd_create("netlink", MFD_CLOEXEC));
    }
    const int made = (int)syscall(SYS_socket, domain, type, protocol);
    if (state.mode != recording || domain != AF_NETLINK) return note_domain(made, domain);
    return new_slot(made);
}

int close(int descriptor) {
    const int slot = state.mode == idle ? -1 : slot_of(descriptor);
    if (slot >= 0) state.sockets[slot] = -1;
    return (int)syscall(SYS_close, descriptor);
}

int bind(int descriptor, const struct sockaddr* address, socklen_t size) {
    if (state.mode == replaying) return 0;
    return (int)syscall(SYS_bind, descriptor, address, size);
}

int connect(int descriptor, const struct sockaddr* address, socklen_t size) {
    if (state.mode == replaying) return differ_with(ECONNREFUSED);
    if (slot_of(descriptor) < 0) spoil("connect");
    return (int)syscall(SYS_connect, descriptor, address, size);
}

int setsockopt(int descriptor, int level, int name, const void* value, socklen_t size) {
    if (state.mode == replaying) return 0;
    return (int)syscall(SYS_setsockopt, descriptor, level, name, value, size);
}

int getsockname(int descriptor, struct sockaddr* address, socklen_t* size) {
    const int slot = slot_of(descriptor);
    struct sockaddr_nl own = {.nl_family = AF_NETLINK};
    if (state.mode == replaying) {
        own.nl_pid = replay_port(slot < 0 ? 0 : slot);
        memcpy(address, &own, *size < sizeof own ? *size : sizeof own);
        *size = sizeof own;
        return 0;
    }
    const int status = (int)syscall(SYS_getsockname, descriptor, address, size);
    if (state.mode == recording && status == 0 && slot >= 0 && *size >= sizeof own) {
        memcpy(&own, address, sizeof own);
        const unsigned char place = (unsigned char)slot;
        record_parts('L', (const void*[]){&place, &own.nl_pid}, (size_t[]){1, 4}, 2);
    }
    return status;
}

static void record_send(int slot, const unsigned char* bytes, size_t size) {
    const unsigned char place = (unsigned char)slot;
    record_parts('S', (const void*[]){&place, bytes}, (size_t[]){1, size}, 2);
}

ssize_t sendmsg(int descriptor, const struct msghdr* message, int flags) {
    const int slot = state.mode == idle ? -1 : slot_of(descriptor);
    if (slot < 0) {
        if (state.mode == replaying) differ();
        return syscall(SYS_sendmsg, descriptor, message, flags);
    }
    static unsigned char whole[256 * 1024];
    size_t size = 0;
    for (size_t i = 0; i < message->msg_iovlen; ++i) {
        const struct iovec* part = &message->msg_iov[i];
        if (part->iov_len > sizeof whole - size) {
            errno = EMSGSIZE;
            return -1;
        }
        memcpy(whole + size, part->iov_base, part->iov_len);
        size += part->iov_len;
    }
    if (state.mode == replaying) return replay_send(slot, whole, size);
    const ssize_t sent = syscall(SYS_sendmsg, descriptor, message, flags);
    if (sent >= 0) {
        record_send(slot, whole, size);
    } else {
        spoil("a failed send");
    }
    return sent;
}

ssize_t sendto(int descriptor, const void* bytes, size_t size, int flags,
               const struct sockaddr* address, socklen_t address_size) {
    struct iovec part = {.iov_base = (void*)bytes, .iov_len = size};
    const struct msghdr message = {
        .msg_name = (void*)address, .msg_namelen = address_size, .msg_iov = &part, .msg_iovlen = 1};
    return sendmsg(descriptor, &message, flags);
}

ssize_t send(int descriptor, const void* bytes, size_t size, int flags) {
    return sendto(descriptor, bytes, size, flags, NULL, 0);
}

static ssize_t replay_recvmsg(int slot, struct msghdr* message, int flags) {
    size_t size = 0;
    unsigned char* datagram = replay_datagram(slot, flags, &size);
    if (datagram == NULL) return -1;
    size_t given = 0;
    for (size_t i = 0; i < message->msg_iovlen && given < size; ++i) {
        const struct iovec* part = &message->msg_iov[i];
        const size_t fits = part->iov_len < size - given ? part->iov_len : size - given;
        if (fits > 0) memcpy(part->iov_base, datagram + given, fits);
        given += fits;
    }
    message->msg_flags = given < size ? MSG_TRUNC : 0;
    const struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
    if (message->msg_name != NULL && message->msg_namelen >= sizeof kernel) {
        memcpy(message->msg_name, &kernel, sizeof kernel);
        message->msg_namelen = sizeof kernel;
    }
    message->msg_controllen = 0;
    return (ssize_t)(flags & MSG_TRUNC ? size : given);
}

static void record_receive(int slot, const struct msghdr* message, ssize_t got, int error) {
    const unsigned char place = (unsigned char)slot;
    const uint32_t failed = got < 0 ? (uint32_t)error : 0;
    if (message->msg_flags & MSG_TRUNC && got >= 0) spoil("a truncated answer");
    const size_t size = got < 0 || message->msg_iovlen == 0 ? 0 : (size_t)got;
    if (message->msg_iovlen > 1) spoil("a scattered receive");
    const void* bytes = message->msg_iovlen == 0 ? NULL : message->msg_iov[0].iov_base;
    record_parts('R', (const void*[]){&place, &failed, bytes}, (size_t[]){1, 4, size}, 3);
}

ssize_t recvmsg(int descriptor, struct msghdr* message, int flags) {
    const int slot = state.mode == idle ? -1 : slot_of(descriptor);
    if (slot < 0) return syscall(SYS_recvmsg, descriptor, message, flags);
    if (state.mode == replaying) return replay_recvmsg(slot, message, flags);
    const ssize_t got = syscall(SYS_recvmsg, descriptor, message, flags);
    const int error = errno;
    if (!(flags & MSG_PEEK)) record_receive(slot, message, got, error);
    errno = error;
    return got;
}

ssize_t recvfrom(int descriptor, void* bytes, size_t size, int flags, struct sockaddr* address,
                 socklen_t* address_size) {
    struct iovec part = {.iov_base = bytes, .iov_len = size};
    struct msghdr message = {.msg_name = address,
                             .msg_namelen = address_size ? *address_size : 0,
                             .msg_iov = &part,
                             .msg_iovlen = 1};
    const ssize_t got = recvmsg(descriptor, &message, flags);
    if (address_size != NULL && got >= 0) *address_size = message.msg_namelen;
    return got;
}

ssize_t recv(int descriptor, void* bytes, size_t size, int flags) {
    return recvfrom(descriptor, bytes, size, flags, NULL, NULL);
}

ssize_t __recv_chk(int descriptor, void* bytes, size_t size, size_t room, int flags);
ssize_t __recv_chk(int descriptor, void* bytes, size_t size, size_t room, int flags) {
    if (size > room) abort();
    return recv(descriptor, bytes, size, flags);
}

// --- names

unsigned if_nametoindex(const char* name) {
    uint32_t index = 0;
    char copy[IFNAMSIZ + 1] = "";
    strncpy(copy, name, IFNAMSIZ);
    if (state.mode == replaying) {
        if (replay_name(&index, copy, 1) != 0 || index == 0) errno = ENODEV;
        return index;
    }
    index = REAL(if_nametoindex)(name);
    const int error = errno;
    if (state.mode == recording)
        record_parts('N', (const void*[]){&index, copy}, (size_t[]){4, strlen(copy)}, 2);
    errno = error;
    return index;
}

char* if_indextoname(unsigned index, char name[IF_NAMESIZE]) {
    if (state.mode == replaying) {
        uint32_t asked = index;
        if (replay_name(&asked, name, 0) == 0 && name[0] != 0) return name;
        errno = ENXIO;
        return NULL;
    }
    char* found = REAL(if_indextoname)(index, name);
    const int error = errno;
    if (state.mode == recording)
        record_parts('X', (const void*[]){&index, found ? found : ""},
                     (size_t[]){4, found ? strlen(found) : 0}, 2);
    errno = error;
    return found;
}

int isatty(int descriptor) {
    if (state.mode == replaying) return descriptor == 1 && state.terminal;
    struct stat status;
    return state.mode == idle && fstat(descriptor, &status) == 0 && S_ISCHR(status.st_mode) &&
           syscall(SYS_ioctl, descriptor, TCGETS, &(char[256]){0}) == 0;
}

// --- the beginning and the end

static int (*real_main)(int, char**, char**);

static void at_end(int status, void* unused) {
    (void)unused;
    end_recording(status);
}

static int main_in_between(int argc, char** argv, char** variables) {
    if (getenv("NLSH_REPLAY") != NULL) return serve_replays(real_main);
    const char* name = program_invocation_short_name;
    const int ours = strcmp(name, "ip") == 0 || strcmp(name, "bridge") == 0;
    if (ours && getenv("NLSH_REPLAY_RECORD") != NULL) {
        begin_recording(argc, argv);
        on_exit(at_end, NULL);
    }
    return real_main(argc, argv, variables);
}

typedef int start(int (*)(int, char**, char**), int, char**, void (*)(void), void (*)(void),
                  void (*)(void), void*);
start __libc_start_main;
int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(void),
                      void (*fini)(void), void (*loader)(void), void* stack) {
    real_main = main;
    return REAL(__libc_start_main)(main_in_between, argc, argv, init, fini, loader, stack);
}
