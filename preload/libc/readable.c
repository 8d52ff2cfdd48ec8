#include "preload/libc/readable.h"

#include <errno.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "preload/libc/direct.h"

enum {
    PAGE = 4096,
    LOOK = 8
}; /* the smallest page of all architectures; the bytes that the kernel reads */

/* The last page found readable. Neighbouring words often share a page. */
struct known {
    uintptr_t page;
};

/* Probes with rt_sigprocmask: the kernel reads the set before it refuses an invalid `how`. */
static bool is_readable(struct known* known, const void* at) {
    enum { NO_HOW = -1 };
    const uintptr_t address = (uintptr_t)at;
    const uintptr_t page = address / PAGE;
    if (page == 0) return false; /* the kernel takes address 0 for "no set" */
    if (page == known->page) return true;
    const uintptr_t set = address - address % LOOK;
#ifdef __LP64__
    const bool readable =
        direct_enter(SYS_rt_sigprocmask, NO_HOW, (long)set, 0, LOOK, 0, 0) != -EFAULT;
#else
    const int error = errno;
    syscall(SYS_rt_sigprocmask, NO_HOW, (const void*)set, NULL, LOOK);
    const bool readable = errno != EFAULT;
    errno = error;
#endif
    if (readable) known->page = page;
    return readable;
}

static bool reads_text(struct known* known, const char* text, size_t* size) {
    const char* at = text;
    do {
        if (!is_readable(known, at)) return false;
        const char* const end = (const char*)(((uintptr_t)at / PAGE + 1) * PAGE);
        while (at != end && *at)
            ++at;
        if (at != end) break;
    } while (true);
    *size += (size_t)(at - text) + 1;
    return true;
}

bool is_readable_text(const char* text) {
    struct known known = {0};
    size_t size = 0;
    return reads_text(&known, text, &size);
}

bool are_readable_words(char* const* words, size_t* size) {
    struct known list = {0}, texts = {0};
    for (char* const* word = words; word; ++word) {
        if (!is_readable(&list, word) || !is_readable(&list, (const char*)(word + 1) - 1))
            return false;
        *size += sizeof *word;
        if (!*word) break;
        if (!reads_text(&texts, *word, size)) return false;
    }
    return true;
}
