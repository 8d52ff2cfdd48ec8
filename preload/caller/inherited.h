/* The descriptors that a program would inherit. */
#ifndef NLSH_PRELOAD_INHERITED_H
#define NLSH_PRELOAD_INHERITED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct directory_entry { /* of getdents64(2) */
    uint64_t inode;
    int64_t offset;
    uint16_t size;
    uint8_t type;
    char name[];
};

/* There may be DESCRIPTORS_MIN descriptors, and 1 and 2 are inherited, and take a reply's output
 * without waiting. `surely`: nor do they fail, as a full disk does. `terminal`: 1 is one. */
bool inherited_outputs_take(bool surely, bool* terminal);
/* What goes without waiting: how many bytes; -1: none, errno says why. */
ssize_t inherited_write_at_once(int descriptor, const char* bytes, size_t size);
/* Waits for the reader. What the descriptor refuses is lost, as it is to ip. */
void inherited_write(int descriptor, const char* bytes, size_t size);
/* Closes what exec would close, but for `kept`. Of a table that is shared with another process, in
 * a copy, as exec does. */
void inherited_close(int kept);

#endif
