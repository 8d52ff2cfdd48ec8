/* The descriptors that an exec'd program would inherit. */
#ifndef NLSH_PRELOAD_INHERITED_H
#define NLSH_PRELOAD_INHERITED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct directory_entry { /* from getdents64(2) */
    uint64_t inode;
    int64_t offset;
    uint16_t size;
    uint8_t type;
    char name[];
};

/* Whether DESCRIPTORS_MIN descriptors are allowed, and 1 and 2 are inherited and take a reply's
 * output without waiting. `surely`: and without failing, as on a full disk. `terminal`: whether 1
 * is one. */
bool inherited_outputs_take(bool surely, bool* terminal);
/* Writes what goes without waiting. Returns the number of bytes; -1: none, errno says why. */
ssize_t inherited_write_at_once(int descriptor, const char* bytes, size_t size);
/* Writes and waits for the reader. Bytes that the descriptor refuses are lost, as for ip. */
void inherited_write(int descriptor, const char* bytes, size_t size);
/* Closes what exec would close, except `kept`. If another process shares the table, closes in a
 * copy, as exec does. */
void inherited_close(int kept);

#endif
