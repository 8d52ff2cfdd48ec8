/* Functions of <string.h> for a forked child. There libc's code isn't mapped, so libc's functions
 * would cost two page faults, more than these take for a whole environment. */
#ifndef NLSH_PRELOAD_TEXT_H
#define NLSH_PRELOAD_TEXT_H

#include <stdbool.h>
#include <stddef.h>

static inline size_t text_length(const char* text) {
    const char* end = text;
    while (*end)
        ++end;
    return (size_t)(end - text);
}

/* The rest of `text` after `start`; NULL: it doesn't begin so. */
static inline const char* text_after(const char* text, const char* start) {
    for (; *start; ++start, ++text)
        if (*text != *start) return NULL;
    return text;
}

static inline bool text_equal(const char* one, const char* other) {
    const char* const rest = text_after(one, other);
    return rest && !*rest;
}

/* The part behind a path's last slash, or all of it. */
static inline const char* text_base(const char* path) {
    const char* base = path;
    for (; *path; ++path)
        if (*path == '/') base = path + 1;
    return base;
}

#endif
