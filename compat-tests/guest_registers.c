// For User-Mode Linux on a processor with AMX: the kernel has room for 2,696 bytes of a process's
// extended registers, and stops when it can't write back all of them. This library (LD_PRELOAD)
// does it for the kernel, without AMX's 8 KiB.
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
    LEGACY_SIZE = 512,
    ROOM = 16384
};  // the state's header, whose first word tells the components, comes after FXSAVE's area
static const uint64_t amx = 3ULL << 17;  // XFEATURE_MASK_XTILE

static long call(long request, pid_t process, void* address, void* data) {
    return syscall(SYS_ptrace, request, process, address, data);
}

static long registers(long request, pid_t process, void* set, struct iovec* wanted) {
    static unsigned char bytes[ROOM];
    struct iovec whole = {bytes, sizeof bytes};
    if (call(PTRACE_GETREGSET, process, set, &whole) < 0) return -1;
    const size_t size = wanted->iov_len < whole.iov_len ? wanted->iov_len : whole.iov_len;
    if (request == PTRACE_SETREGSET) memcpy(bytes, wanted->iov_base, size);
    uint64_t components;
    memcpy(&components, bytes + LEGACY_SIZE, sizeof components);
    components &= ~amx;
    memcpy(bytes + LEGACY_SIZE, &components, sizeof components);
    if (request == PTRACE_SETREGSET) return call(request, process, set, &whole);
    memcpy(wanted->iov_base, bytes, size);
    wanted->iov_len = size;
    return 0;
}

long ptrace(enum __ptrace_request request, ...) {
    va_list rest;
    va_start(rest, request);
    const pid_t process = va_arg(rest, pid_t);
    void* const address = va_arg(rest, void*);
    void* const data = va_arg(rest, void*);
    va_end(rest);
    if ((request == PTRACE_GETREGSET || request == PTRACE_SETREGSET) &&
        (uintptr_t)address == NT_X86_XSTATE)
        return registers(request, process, address, data);
    if (request < PTRACE_PEEKTEXT || request > PTRACE_PEEKUSER)
        return call(request, process, address, data);
    long word = 0;  // as libc: a peek returns what it has read
    if (call(request, process, address, &word) < 0) return -1;
    errno = 0;
    return word;
}
