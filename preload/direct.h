/* System calls by number, for what libc's function of that name does nothing else than call. Each
 * name that the library imports is looked up at every start of every program under it (0.4 µs, -z
 * now): what can be done without a name is. Included before all else in each of its files. Only
 * where the kernel's and libc's structures are the same, and never for a cancellation point
 * (pthreads(7)). errno is set as libc sets it. */
#pragma once

#ifdef __LP64__ /* elsewhere numbers have other widths (getuid32, …) */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline int direct_int(long result) {
    return (int)result;
}
#define DIRECT(name, ...) direct_int(syscall(SYS_##name __VA_OPT__(, ) __VA_ARGS__))

#define access(path, mode) DIRECT(faccessat, AT_FDCWD, path, mode)
#define getegid() ((gid_t)DIRECT(getegid))
#define geteuid() ((uid_t)DIRECT(geteuid))
#define getgid() ((gid_t)DIRECT(getgid))
#define getpid() DIRECT(getpid)
#define getresuid(real, effective, saved) DIRECT(getresuid, real, effective, saved)
#define getsockopt(socket, level, name, value, size) \
    DIRECT(getsockopt, socket, level, name, value, size)
#define getuid() ((uid_t)DIRECT(getuid))
#define ioctl(descriptor, request, value) DIRECT(ioctl, descriptor, request, value)
#define kill(process, signal) DIRECT(kill, process, signal)
#define madvise(start, size, advice) DIRECT(madvise, start, size, advice)
#define mount(source, target, kind, flags, data) DIRECT(mount, source, target, kind, flags, data)
#define munmap(start, size) DIRECT(munmap, start, size)
#define pipe2(ends, flags) DIRECT(pipe2, ends, flags)
#define prctl(...) DIRECT(prctl, __VA_ARGS__, 0, 0, 0, 0) /* who gives fewer means 0 */
#define readlinkat(folder, path, text, size) syscall(SYS_readlinkat, folder, path, text, size)
#define setns(descriptor, kind) DIRECT(setns, descriptor, kind)
#define setpgid(process, group) DIRECT(setpgid, process, group)
#define setsid() DIRECT(setsid)
#define setsockopt(socket, level, name, value, size) \
    DIRECT(setsockopt, socket, level, name, value, size)
#define shutdown(socket, how) DIRECT(shutdown, socket, how)
#define socket(domain, kind, protocol) DIRECT(socket, domain, kind, protocol)
#define umount2(target, flags) DIRECT(umount2, target, flags)
#define unshare(flags) DIRECT(unshare, flags)

/* sigset_t is an array of words, a bit for each signal, from 1. */
static inline unsigned long* direct_word(const sigset_t* set, int signal) {
    return (unsigned long*)set + (unsigned)(signal - 1) / (8 * sizeof(long));
}
static inline unsigned long direct_bit(int signal) {
    return 1UL << (unsigned)(signal - 1) % (8 * sizeof(long));
}
/* As libc's: without those that it keeps for itself (NPTL's 32 and 33). */
static inline void direct_fill(sigset_t* set) {
    memset(set, -1, sizeof *set);
    for (int own = 32; own <= 33; ++own)
        *direct_word(set, own) &= ~direct_bit(own);
}
#define sigemptyset(set) ((void)memset(set, 0, sizeof(sigset_t)))
#define sigfillset(set) direct_fill(set)
#define sigaddset(set, signal) ((void)(*direct_word(set, signal) |= direct_bit(signal)))
#define sigdelset(set, signal) ((void)(*direct_word(set, signal) &= ~direct_bit(signal)))
#define sigismember(set, signal) ((*direct_word(set, signal) & direct_bit(signal)) != 0)
#endif
