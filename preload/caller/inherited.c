#include "preload/caller/inherited.h"

#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <unistd.h>

#include "preload/caller/caller.h"
#include "shim/wire/plain_sink.h"
#include "shim/wire/wire.h"

/* Whether writes can't fail: a disk with room, or no disk; not /dev/full. */
static bool takes_surely(int descriptor, const struct stat* file) {
    enum { MEMORY = 1, FULL = 7, RESERVE = 64 * 1024 };
    struct statvfs disk;
    if (S_ISCHR(file->st_mode)) return file->st_rdev != makedev(MEMORY, FULL);
    if (!S_ISREG(file->st_mode)) return true;
    return fstatvfs(descriptor, &disk) == 0 && disk.f_blocks != 0 &&
           disk.f_bavail * disk.f_frsize >= NLSH_OUTPUT_MAX + RESERVE;
}

static bool is_terminal(int descriptor) {
    struct termios settings;
    return ioctl(descriptor, TCGETS, &settings) == 0;
}

bool inherited_outputs_take(bool surely, bool* terminal) {
    /* poll(2) refuses more entries than the process may have descriptors. */
    struct pollfd outputs[DESCRIPTORS_MIN] = {{.fd = 1, .events = POLLOUT},
                                              {.fd = 2, .events = POLLOUT}};
    for (int i = 2; i < DESCRIPTORS_MIN; ++i)
        outputs[i].fd = -1;
    if (poll(outputs, DESCRIPTORS_MIN, 0) != 2) return false;
    for (int i = 0; i < 2; ++i) {
        if (outputs[i].revents != POLLOUT || fcntl(outputs[i].fd, F_GETFD) != 0) return false;
        struct stat file;
        if (fstat(outputs[i].fd, &file) != 0 || !is_plain_sink(outputs[i].fd, file.st_mode))
            return false;
        if (surely && !takes_surely(outputs[i].fd, &file)) return false;
        if (i == 0) *terminal = S_ISCHR(file.st_mode) && is_terminal(STDOUT_FILENO);
    }
    return true;
}

static int number_of(const char* name) {
    int number = 0;
    for (; *name >= '0' && *name <= '9'; ++name)
        number = number * 10 + (*name - '0');
    return *name ? -1 : number;
}

static void close_if_marked(int number) {
    const int flags = fcntl(number, F_GETFD);
    if (flags >= 0 && (flags & FD_CLOEXEC)) close(number);
}

static void close_listed(const char* entries, size_t size, const int spared[2]) {
    for (size_t at = 0; at < size;) {
        const struct directory_entry* const entry = (const void*)(entries + at);
        const int number = number_of(entry->name);
        at += entry->size;
        if (number >= 0 && number != spared[0] && number != spared[1]) close_if_marked(number);
    }
}

static void close_by_list(int kept) {
    _Alignas(8) char entries[1024];
    const int directory = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) return;
    const int spared[2] = {kept, directory};
    long got;
    while ((got = syscall(SYS_getdents64, directory, entries, sizeof entries)) > 0)
        close_listed(entries, (size_t)got, spared);
    close(directory);
}

/* A forked child's table of descriptors has 64 entries, or a power of two that holds its highest.
 */
enum { LOW = 64, HIGH = 256, BITS = 8 * sizeof(unsigned long), GROUP = 64 };

/* Whether the descriptor is open, or above all open ones: select() refuses other numbers, but
 * ignores those beyond the kernel's table (select(2), BUGS). */
static bool is_open_or_beyond(int limit) {
    unsigned long numbers[HIGH / BITS + 1] = {0};
    numbers[(unsigned)limit / BITS] = 1;
    struct timeval at_once = {0};
    return select(limit + 1, (fd_set*)numbers, NULL, NULL, &at_once) == 0;
}

/* poll() tells which of many are open; each group also checks the limit. 1 and 2 are inherited
 * (inherited_outputs_take). */
static bool close_below(int limit, int kept) {
    struct pollfd group[GROUP + 1];
    for (int first = 0; first < limit; first += GROUP) {
        for (int i = 0; i < GROUP; ++i)
            group[i] = (struct pollfd){.fd = first + i};
        group[GROUP] = (struct pollfd){.fd = limit};
        if (poll(group, GROUP + 1, 0) < 0 || !(group[GROUP].revents & POLLNVAL)) return false;
        for (int i = 0; i < GROUP; ++i) {
            const int number = group[i].fd;
            const bool known = number == 1 || number == 2 || number == kept;
            if (!known && !(group[i].revents & POLLNVAL)) close_if_marked(number);
        }
    }
    return true;
}

/* Doesn't use /proc: a first look at a process there costs the kernel more than all of this. */
void inherited_close(int kept) {
    if (unshare(CLONE_FILES) != 0) return;
    for (int limit = LOW; limit <= HIGH; limit *= HIGH / LOW)
        if (is_open_or_beyond(limit) && close_below(limit, kept)) return;
    close_by_list(kept);
}

static bool is_full(int descriptor) {
    struct pollfd wait = {.fd = descriptor, .events = POLLOUT};
    return poll(&wait, 1, 0) == 0;
}

/* Another writer may have filled the pipe meanwhile. */
ssize_t inherited_write_at_once(int descriptor, const char* bytes, size_t size) {
    const struct iovec part = {(void*)(uintptr_t)bytes, size};
    const long current = -1;
    if (size == 0) return 0;
    const ssize_t written =
        syscall(SYS_pwritev2, descriptor, &part, 1, current, current, RWF_NOWAIT);
    if (written >= 0 || (errno != EAGAIN && errno != EOPNOTSUPP)) return written;
    if (!is_full(descriptor)) return writev(descriptor, &part, 1);
    errno = EAGAIN;
    return -1;
}

void inherited_write(int descriptor, const char* bytes, size_t size) {
    while (size) {
        const ssize_t written = write(descriptor, bytes, size);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return;
        bytes += written;
        size -= (size_t)written;
    }
}
