/* What <string.h> has, for who may run in a fork's child: none of libc's code is mapped there, and
 * its functions for strings and those that copy lie apart from all else: two page faults, more than
 * these take for a whole environment. */
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

/* Where `text` goes on after `start`; NULL: it doesn't begin so. */
static inline const char* text_after(const char* text, const char* start) {
    for (; *start; ++start, ++text)
        if (*text != *start) return NULL;
    return text;
}

static inline bool text_equal(const char* one, const char* other) {
    const char* const rest = text_after(one, other);
    return rest && !*rest;
}

/* Behind the last slash of a path; all of one that has none. */
static inline const char* text_base(const char* path) {
    const char* base = path;
    for (; *path; ++path)
        if (*path == '/') base = path + 1;
    return base;
}

#endif
