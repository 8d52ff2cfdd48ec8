/* The descriptors that a program would inherit. */
#ifndef NLSH_PRELOAD_INHERITED_H
#define NLSH_PRELOAD_INHERITED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
/* Then: closes what exec would close, but for `kept`. False: nothing was closed. */
bool inherited_close(int kept);
/* False: nothing was written. `at_once`: rather that than to wait. */
bool inherited_write(int descriptor, const char* bytes, size_t size, bool at_once);

#endif
