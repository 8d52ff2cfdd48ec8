#include "preload/variables.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "shim/wire/wire.h"

/* Without pointers, which a program's start would have to relocate. */
static const struct variable {
    char prefix[31];
    uint8_t length;
} passed[] = {
#define NAME(name) {name "=", sizeof name},
    NLSH_VARIABLES(NAME)
#undef NAME
};

/* Most of an environment's names differ from ours in the first two letters: no call for those. */
static bool starts_with(const char* entry, const struct variable* name) {
    return entry[0] == name->prefix[0] && entry[1] == name->prefix[1] &&
           strncmp(entry, name->prefix, name->length) == 0;
}

int gather_variables(char* const* environment, struct iovec* parts, uint32_t* size) {
    int count = 0;
    for (char* const* entry = environment; entry && *entry; ++entry) {
        for (int i = 0; i < NLSH_VARIABLE_COUNT; ++i) {
            if (!starts_with(*entry, &passed[i])) continue;
            if (count == NLSH_VARIABLE_COUNT) return -1; /* one is there twice */
            parts[count].iov_base = *entry;
            parts[count].iov_len = strlen(*entry) + 1;
            *size += (uint32_t)parts[count++].iov_len;
            break;
        }
    }
    return count;
}
