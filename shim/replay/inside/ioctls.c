// The ioctls of ip and bridge.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/if_tun.h>
#include <linux/if_tunnel.h>
#include <linux/ip.h>
#include <linux/ip6_tunnel.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim/replay/inside/calls.h"

enum { ARGUMENT_MAX = 256, DESCRIPTORS = 64 };

// What it is given.
enum form {
    named,   // an ifreq: its name counts
    whole,   // an ifreq: the flags behind its name, too
    number,  // no pointer
    tunnel,  // an ifreq that points to a tunnel's parameters
};

static const struct row {
    unsigned long request;
    enum form form;
} rows[] = {
    {SIOCGIFNAME, named},    {SIOCGIFINDEX, named},       {SIOCGIFFLAGS, named},
    {SIOCSIFFLAGS, named},   {SIOCGIFMTU, named},         {SIOCGIFTXQLEN, named},
    {SIOCSIFTXQLEN, named},  {SIOCSIFNAME, named},        {SIOCGIFHWADDR, named},
    {SIOCSIFHWADDR, named},  {SIOCSIFHWBROADCAST, named}, {SIOCADDMULTI, named},
    {SIOCDELMULTI, named},   {TUNSETIFF, whole},          {TUNSETPERSIST, number},
    {TUNSETOWNER, number},   {TUNSETGROUP, number},       {SIOCGETTUNNEL, tunnel},
    {SIOCADDTUNNEL, tunnel}, {SIOCCHGTUNNEL, tunnel},     {SIOCDELTUNNEL, tunnel},
};

static int is_inet6[DESCRIPTORS];

int note_domain(int descriptor, int domain) {
    if (descriptor >= 0 && descriptor < DESCRIPTORS) is_inet6[descriptor] = domain == AF_INET6;
    return descriptor;
}

static size_t size_of_tunnel(int descriptor) {
    const int inet6 = descriptor >= 0 && descriptor < DESCRIPTORS && is_inet6[descriptor];
    return inet6 ? sizeof(struct ip6_tnl_parm2) : sizeof(struct ip_tunnel_parm);
}

// Copies what is given; returns its size.
static size_t read_argument(enum form form, int descriptor, const void* argument,
                            unsigned char* bytes) {
    if (form == number) {
        memcpy(bytes, &argument, sizeof argument);
        return sizeof argument;
    }
    struct ifreq request;
    memcpy(&request, argument, sizeof request);
    const void* parameters = form == tunnel ? request.ifr_data : NULL;
    if (form == tunnel) request.ifr_data = NULL;
    memcpy(bytes, &request, sizeof request);
    if (parameters == NULL) return sizeof request;
    const size_t size = size_of_tunnel(descriptor);
    memcpy(bytes + sizeof request, parameters, size);
    return sizeof request + size;
}

static void write_argument(enum form form, int descriptor, void* argument,
                           const unsigned char* bytes) {
    if (form == named || form == whole) memcpy(argument, bytes, sizeof(struct ifreq));
    if (form != tunnel) return;
    struct ifreq request;
    memcpy(&request, argument, sizeof request);
    if (request.ifr_data == NULL) return;
    memcpy(request.ifr_data, bytes + sizeof request, size_of_tunnel(descriptor));
}

// Programs set neither the bytes behind a name nor the fields of an ifreq that a request doesn't
// need.
static int is_same(enum form form, const unsigned char* one, const unsigned char* other,
                   size_t size) {
    if (form == number) return memcmp(one, other, size) == 0;
    const size_t start = form == tunnel ? sizeof(struct ifreq) : IFNAMSIZ;
    const size_t end = form == tunnel ? size : form == whole ? start + sizeof(short) : start;
    return strncmp((const char*)one, (const char*)other, IFNAMSIZ) == 0 &&
           memcmp(one + start, other + start, end - start) == 0;
}

static int replay(const struct row* row, int descriptor, void* argument) {
    unsigned char now[ARGUMENT_MAX];
    const size_t size = read_argument(row->form, descriptor, argument, now);
    struct item item;
    size_t place = 0;
    if (next_asked('I', &place, &item) && item.size == 8 + 2 * size &&
        number_at(&item, 0) == (uint32_t)row->request &&
        is_same(row->form, item.bytes + 8, now, size)) {
        state.next = place;
        ++state.outcome->called;
        write_argument(row->form, descriptor, argument, item.bytes + 8 + size);
        errno = (int)number_at(&item, 4);
        return errno == 0 ? 0 : -1;
    }
    return differ_with(ENODEV);
}

static int run(const struct row* row, int descriptor, void* argument) {
    unsigned char before[ARGUMENT_MAX], after[ARGUMENT_MAX];
    const size_t size = read_argument(row->form, descriptor, argument, before);
    const int status = (int)syscall(SYS_ioctl, descriptor, row->request, argument);
    const int error = errno;
    read_argument(row->form, descriptor, argument, after);
    const uint32_t numbers[2] = {(uint32_t)row->request, status < 0 ? (uint32_t)error : 0};
    record_parts('I', (const void*[]){numbers, before, after},
                 (size_t[]){sizeof numbers, size, size}, 3);
    errno = error;
    return status;
}

int ioctl(int descriptor, unsigned long request, ...) {
    va_list arguments;
    va_start(arguments, request);
    void* argument = va_arg(arguments, void*);
    va_end(arguments);
    const struct row* row = rows;
    const struct row* const end = rows + sizeof rows / sizeof *rows;
    while (row < end && row->request != request)
        ++row;
    if (row < end && state.mode == replaying) return replay(row, descriptor, argument);
    if (row < end && state.mode == recording) return run(row, descriptor, argument);
    if (state.mode == replaying) {
        if (request != TCGETS) differ();
        errno = ENOTTY;
        return -1;
    }
    spoil("an ioctl");
    return (int)syscall(SYS_ioctl, descriptor, request, argument);
}
