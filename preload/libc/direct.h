/* System calls by number, in place of libc's plain wrappers. Each imported name is looked up at
 * every start of every program under the library (0.4 µs, -z now). And in a forked child libc's
 * code isn't mapped: each function that lies apart costs a page fault, some 5 µs. Each of the
 * library's files includes this first. Only for calls whose structures are the same in the kernel
 * and in libc; not for waitpid(), where a thread may be cancelled. Other cancellation points
 * (pthreads(7)) are called with cancellation disabled. errno is set as libc sets it. */
#pragma once

#if defined(__x86_64__) || defined(__aarch64__)
#include <errno.h>
/* Finds errno without calling libc (direct.c). */
int* direct_errno(void);
#undef errno
#define errno (*direct_errno())
#endif

#ifdef __LP64__ /* elsewhere calls have other numbers (getuid32, …) */
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Returns the kernel's answer, an error as its negative number. Keeps errno. */
long direct_enter(long number, long a, long b, long c, long d, long e, long f);
long direct_call(long number, long a, long b, long c, long d, long e, long f);
#define DIRECT_CALL(number, a, b, c, d, e, f, ...) \
    direct_call(number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
#define syscall(...) DIRECT_CALL(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0)

static inline int direct_int(long result) {
    return (int)result;
}
#define DIRECT(name, ...) direct_int(syscall(SYS_##name __VA_OPT__(, ) __VA_ARGS__))

#define access(path, mode) DIRECT(faccessat, AT_FDCWD, path, mode)
#define close(descriptor) DIRECT(close, descriptor)
#define connect(socket, address, size) DIRECT(connect, socket, address, size)
#define fcntl(descriptor, ...) DIRECT(fcntl, descriptor, __VA_ARGS__)
#define fstat(descriptor, file) DIRECT(fstat, descriptor, file)
#define fstatfs(descriptor, disk) DIRECT(fstatfs, descriptor, disk)
#define geteuid() ((uid_t)DIRECT(geteuid))
#define getgid() ((gid_t)DIRECT(getgid))
#define getpid() DIRECT(getpid)
#define getrlimit(kind, limit) DIRECT(getrlimit, kind, limit)
#define getresuid(real, effective, saved) DIRECT(getresuid, real, effective, saved)
#define getresgid(real, effective, saved) DIRECT(getresgid, real, effective, saved)
#define getsockopt(socket, level, name, value, size) \
    DIRECT(getsockopt, socket, level, name, value, size)
#define getuid() ((uid_t)DIRECT(getuid))
#define ioctl(descriptor, request, value) DIRECT(ioctl, descriptor, request, value)
#define kill(process, signal) DIRECT(kill, process, signal)
#define madvise(start, size, advice) DIRECT(madvise, start, size, advice)
#define mount(source, target, kind, flags, data) DIRECT(mount, source, target, kind, flags, data)
#define munmap(start, size) DIRECT(munmap, start, size)
#define open(path, ...) DIRECT(openat, AT_FDCWD, path, __VA_ARGS__)
#define pipe2(ends, flags) DIRECT(pipe2, ends, flags)
#define prctl(...) DIRECT(prctl, __VA_ARGS__, 0, 0, 0, 0) /* missing arguments are 0 */
#define read(descriptor, bytes, size) syscall(SYS_read, descriptor, bytes, size)
#define readlinkat(folder, path, text, size) syscall(SYS_readlinkat, folder, path, text, size)
#define recvmsg(socket, message, flags) syscall(SYS_recvmsg, socket, message, flags)
#define send(socket, bytes, size, flags) syscall(SYS_sendto, socket, bytes, size, flags)
#define sendmsg(socket, message, flags) syscall(SYS_sendmsg, socket, message, flags)
#define setfsgid(group) DIRECT(setfsgid, group)
#define setfsuid(user) DIRECT(setfsuid, user)
#define setns(descriptor, kind) DIRECT(setns, descriptor, kind)
#define setpgid(process, group) DIRECT(setpgid, process, group)
#define setsid() DIRECT(setsid)
#define setsockopt(socket, level, name, value, size) \
    DIRECT(setsockopt, socket, level, name, value, size)
#define shutdown(socket, how) DIRECT(shutdown, socket, how)
#define socket(domain, kind, protocol) DIRECT(socket, domain, kind, protocol)
#define uname(name) DIRECT(uname, name)
#define stat(path, file) DIRECT(newfstatat, AT_FDCWD, path, file, 0)
#define umount2(target, flags) DIRECT(umount2, target, flags)
#define unshare(flags) DIRECT(unshare, flags)
#define write(descriptor, bytes, size) syscall(SYS_write, descriptor, bytes, size)
#define writev(descriptor, parts, count) syscall(SYS_writev, descriptor, parts, count)
#ifdef SYS_poll /* arm64 has only the newer calls */
#define dup2(descriptor, copy) DIRECT(dup2, descriptor, copy)
#define poll(descriptors, count, wait) DIRECT(poll, descriptors, count, wait)
#define select(count, in, out, other, wait) DIRECT(select, count, in, out, other, wait)
#endif

/* sigset_t is an array of words, a bit for each signal, from 1. */
static inline unsigned long* direct_word(const sigset_t* set, int signal) {
    return (unsigned long*)set + (unsigned)(signal - 1) / (8 * sizeof(long));
}
static inline unsigned long direct_bit(int signal) {
    return 1UL << (unsigned)(signal - 1) % (8 * sizeof(long));
}
/* Like libc's, without the signals that it keeps for itself (NPTL's 32 and 33). */
static inline void direct_fill(sigset_t* set) {
    memset(set, -1, sizeof *set);
    for (int own = 32; own <= 33; ++own)
        *direct_word(set, own) &= ~direct_bit(own);
}
/* The kernel's set is a word of 64 signals. */
enum { DIRECT_SIGNALS = 8 };
#define pthread_sigmask(how, set, before) sigprocmask(how, set, before)
#define sigpending(set) DIRECT(rt_sigpending, set, DIRECT_SIGNALS)
#define sigprocmask(how, set, before) DIRECT(rt_sigprocmask, how, set, before, DIRECT_SIGNALS)
#define sigtimedwait(set, info, wait) DIRECT(rt_sigtimedwait, set, info, wait, DIRECT_SIGNALS)
#define sigemptyset(set) ((void)memset(set, 0, sizeof(sigset_t)))
#define sigfillset(set) direct_fill(set)
#define sigaddset(set, signal) ((void)(*direct_word(set, signal) |= direct_bit(signal)))
#define sigdelset(set, signal) ((void)(*direct_word(set, signal) &= ~direct_bit(signal)))
#define sigismember(set, signal) ((*direct_word(set, signal) & direct_bit(signal)) != 0)
#endif
