#include "preload/settings/variables.h"

#include <stdbool.h>

#include "preload/libc/text.h"
#include "shim/wire/wire.h"

/* An array without pointers, because the linker would relocate those at every program's start. */
static const struct variable {
    char prefix[32];
} passed[] = {
#define NAME(name) {name "="},
    NLSH_VARIABLES(NAME)
#undef NAME
};

/* Most variables differ from ours in their first three letters (or "="). Two constants of 64 bits
 * exclude nearly all of them without comparing names. */
#define LETTER(name, at) ((unsigned char)(name)[at])
#define PAIR(name) (UINT64_C(1) << ((7u * LETTER(name, 0) + LETTER(name, 1)) % 64))
#define TRIPLE(name) \
    (UINT64_C(1) << ((11u * LETTER(name, 0) + 3u * LETTER(name, 1) + LETTER(name, 2)) % 64))
static bool may_be_passed(const char* entry) {
#define OR_PAIR(name) | PAIR(name)
#define OR_TRIPLE(name) | TRIPLE(name "=")
    const uint64_t pairs = 0 NLSH_VARIABLES(OR_PAIR);
    const uint64_t triples = 0 NLSH_VARIABLES(OR_TRIPLE);
#undef OR_PAIR
#undef OR_TRIPLE
    return entry[0] && (pairs & PAIR(entry)) != 0 && entry[1] && (triples & TRIPLE(entry)) != 0;
}

static bool starts_with(const char* entry, const struct variable* name) {
    return entry[0] == name->prefix[0] && entry[1] == name->prefix[1] &&
           text_after(entry, name->prefix);
}

int gather_variables(char* const* environment, struct iovec* parts, uint32_t* size) {
    int count = 0;
    for (char* const* entry = environment; entry && *entry; ++entry) {
        if (!may_be_passed(*entry)) continue;
        for (int i = 0; i < NLSH_VARIABLE_COUNT; ++i) {
            if (!starts_with(*entry, &passed[i])) continue;
            if (count == NLSH_VARIABLE_COUNT) return -1; /* a variable is set twice */
            parts[count].iov_base = *entry;
            parts[count].iov_len = text_length(*entry) + 1;
            *size += (uint32_t)parts[count++].iov_len;
            break;
        }
    }
    return count;
}
