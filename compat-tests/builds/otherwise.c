// Plays a build that makes a call of namespaces, tuns or tunnels otherwise: with this library among
// those that it needs (otherwise.py), a process's call number AT is made in another WAY: less (not
// made), more (twice), argument (another one), later (after the next), last (with all after it,
// behind the next socket). A process that did it makes the file $OTHERWISE.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/if_tunnel.h>
#include <linux/sockios.h>
#include <stdlib.h>

#include "hook.h"

enum { less, more, argument, later, last, way = WAY };
enum { WORDS = 5, HELD = 32 };

typedef long call(long, long, long, long, long);
struct made {
    call* real;
    long words[WORDS];
};

static struct made held[HELD];
static int holds;

static long make(const struct made* made) {
    const long* words = made->words;
    return made->real(words[0], words[1], words[2], words[3], words[4]);
}

static void make_held(void) {
    for (int i = 0; i < holds; ++i)
        make(&held[i]);
    holds = 0;
}

static void note(void) {
    const char* file = getenv("OTHERWISE");
    if (file != NULL) close(open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
}

// An ioctl's: a number, or what an ifreq has.
static void change_request(struct made* made) {
    enum { NUMBERS = 4096, FLAGS = 20 };
    char* request = (char*)made->words[2];
    const long kind = made->words[1];
    if ((unsigned long)made->words[2] < NUMBERS) {
        made->words[2] ^= 1;
    } else if (kind >= SIOCGETTUNNEL && kind <= SIOCCHGTUNNEL) {
        ((char*)((struct ifreq*)made->words[2])->ifr_data)[FLAGS] ^= 1;
    } else {
        request[0] ^= 1;
    }
}

// changed: which of its words another one is given for.
static long made(const char* name, struct made made, int changed) {
    static int count;
    const int number = ++count;
    if (way == last ? number < AT : number != AT || (way == more && strcmp(name, "execvp") == 0)) {
        const long result = make(&made);
        if (way == later) make_held();
        return result;
    }
    note();
    if (way == more) make(&made);
    if (way == argument && strcmp(name, "ioctl") == 0) {
        change_request(&made);
    } else if (way == argument) {
        made.words[changed] ^= 1;
    } else if (way == less) {
        return 0;
    } else if (way != more && holds < HELD) {
        held[holds++] = made;
        return 0;
    }
    return make(&made);
}

static long keep(long text) {
    return text == 0 ? 0 : (long)strdup((const char*)text);
}

#define OTHERWISE(NAME, CHANGED, TEXTS)                                                         \
    static long NAME##_otherwise(long a, long b, long c, long d, long e) {                      \
        call* real = (call*)dlsym(RTLD_DEFAULT, #NAME);                                         \
        const struct made it = {                                                                \
            real,                                                                               \
            {TEXTS > 0 ? keep(a) : a, TEXTS > 1 ? keep(b) : b, TEXTS > 2 ? keep(c) : c, d, e}}; \
        return made(#NAME, it, CHANGED);                                                        \
    }
OTHERWISE(setns, 1, 0)
OTHERWISE(unshare, 0, 0)
OTHERWISE(mount, 3, 3)
OTHERWISE(umount2, 1, 1)
OTHERWISE(unlink, 0, 1)
OTHERWISE(mkdir, 1, 1)
OTHERWISE(ioctl, 2, 0)
OTHERWISE(execvp, 0, 1)

static long socket_otherwise(long domain, long type, long protocol, long d, long e) {
    const long made = ((call*)dlsym(RTLD_DEFAULT, "socket"))(domain, type, protocol, d, e);
    if (way == last) make_held();
    return made;
}

__attribute__((constructor)) static void play(void) {
    struct hook hooks[] = {
        {"setns", (void*)setns_otherwise},   {"unshare", (void*)unshare_otherwise},
        {"mount", (void*)mount_otherwise},   {"umount2", (void*)umount2_otherwise},
        {"unlink", (void*)unlink_otherwise}, {"mkdir", (void*)mkdir_otherwise},
        {"ioctl", (void*)ioctl_otherwise},   {"execvp", (void*)execvp_otherwise},
        {"socket", (void*)socket_otherwise},
    };
    for (size_t i = 0; i < sizeof hooks / sizeof *hooks; ++i)
        dl_iterate_phdr(hook_program, &hooks[i]);
}
