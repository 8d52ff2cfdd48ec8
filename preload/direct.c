#include "preload/direct.h"

#ifdef __LP64__
#include <errno.h>

#undef syscall

#ifdef __x86_64__
/* system_call(2) of the psABI: the kernel's answer, an error as its negative number. */
static long enter(long number, long a, long b, long c, long d, long e, long f) {
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

long direct_call(long number, long a, long b, long c, long d, long e, long f) {
    enum { ERROR_MAX = 4095 };
    const long result = enter(number, a, b, c, d, e, f);
    if (result >= 0 || result < -ERROR_MAX) return result;
    errno = (int)-result;
    return -1;
}
#else
long direct_call(long number, long a, long b, long c, long d, long e, long f) {
    return syscall(number, a, b, c, d, e, f);
}
#endif
#endif
