/* For a server under valgrind's memcheck in User-Mode Linux: two system calls that valgrind 3.19
 * doesn't know, where the guest's kernel (6.1) has nothing newer. Preloaded by runner/worker.py's
 * tests only; what is tested there is what nlsh does with memory. */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The same call without glibc's wrapper, which this one hides. */
static long raw(long number, const long* a) {
    long result;
    register long r10 __asm__("r10") = a[3];
    register long r8 __asm__("r8") = a[4];
    register long r9 __asm__("r9") = a[5];
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "0"(number), "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    if (result < 0 && result > -4096) {
        errno = (int)-result;
        return -1;
    }
    return result;
}

long syscall(long number, ...) {
    long a[6];
    va_list values;
    va_start(values, number);
    for (int i = 0; i < 6; ++i)
        a[i] = va_arg(values, long);
    va_end(values);
    if (number == SYS_pidfd_open)
        return eventfd(0, EFD_CLOEXEC); /* of a process that lives: the test's client */
    if (number == SYS_openat2) {
        const struct open_how* how = (const void*)a[2];
        return openat((int)a[0], (const char*)a[1], (int)how->flags, (mode_t)how->mode);
    }
    return raw(number, a);
}
