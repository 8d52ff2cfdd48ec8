#include "preload/libc/direct.h"

#if defined(__x86_64__) || defined(__aarch64__)
#include <stddef.h>

/* libc is loaded at the start, so its errno has a fixed distance from each thread's pointer
 * (thread-local storage, initial-exec). 0 before the constructor has run. */
static ptrdiff_t errno_at;

static char* thread_pointer(void) {
    return __builtin_thread_pointer();
}

__attribute__((constructor)) static void find_errno(void) {
    errno_at = (char*)__errno_location() - thread_pointer();
}

int* direct_errno(void) {
    return errno_at ? (int*)(void*)(thread_pointer() + errno_at) : __errno_location();
}
#endif

#ifdef __LP64__

#undef syscall

#if defined(__x86_64__)
/* syscall(2) lists each architecture's registers. Returns the kernel's answer, an error as its
 * negative number. */
long direct_enter(long number, long a, long b, long c, long d, long e, long f) {
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}
#elif defined(__aarch64__)
long direct_enter(long number, long a, long b, long c, long d, long e, long f) {
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    register long x5 __asm__("x5") = f;
    __asm__ volatile("svc #0"
                     : "+r"(x0)
                     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                     : "memory");
    return x0;
}
#else
long direct_enter(long number, long a, long b, long c, long d, long e, long f) {
    const int before = errno;
    const long result = syscall(number, a, b, c, d, e, f);
    const int error = errno;
    errno = before;
    return result == -1 ? -error : result;
}
#endif

long direct_call(long number, long a, long b, long c, long d, long e, long f) {
    enum { ERROR_MAX = 4095 };
    const long result = direct_enter(number, a, b, c, d, e, f);
    if (result >= 0 || result < -ERROR_MAX) return result;
    errno = (int)-result;
    return -1;
}
#endif
