// A tape: what one process asked the kernel and what it was told, as items one after another.
//
// An item is a letter, its size (32 bits, of this machine's order) and so many bytes. A recorded
// process is the item `r`, which holds items:
//
//   a  its words, each with a NUL
//   e  variables of its environment, each with a NUL
//   t  stdout is a terminal (empty)
//   m  both outputs are one (empty)
//   p  its output is wanted (empty)
//   z  why it can't be replayed (text)
//   L  slot, port id (32 bits): a netlink socket's address
//   S  slot, bytes: a message that was sent
//   R  slot, error (32 bits), bytes: what a receive gave
//   I  request (32 bits), error (32 bits), what it points to before, and after
//   C  error (32 bits), text: a call that would leave the process or its namespace
//   G  error (32 bits), path, NUL, names, each with a NUL: a folder that was read
//   N  index (32 bits), name: a look-up of a device by its name; index 0: none
//   X  index (32 bits), name: a look-up by its index; no name: none
//   F  error (32 bits), path, NUL, bytes: a file that was opened
//   D  error (32 bits), path, NUL, number (32 bits): the same, its bytes are the blob NUMBER
//   o  its stdout
//   x  its stderr
//   s  its status, as wait(2) has it (32 bits)
//
// A slot is a byte: the sockets of a process, counted from 0.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct item {
    char kind;
    uint32_t size;
    const unsigned char* bytes;
};

enum { ITEM_HEADER = 5 };

// The item at *place, which moves on; false: there is none, or it is cut off.
static inline int next_item(const unsigned char* tape, size_t size, size_t* place,
                            struct item* item) {
    if (*place > size || size - *place < ITEM_HEADER) return 0;
    item->kind = (char)tape[*place];
    memcpy(&item->size, tape + *place + 1, sizeof item->size);
    if (item->size > size - *place - ITEM_HEADER) return 0;
    item->bytes = tape + *place + ITEM_HEADER;
    *place += ITEM_HEADER + (size_t)item->size;
    return 1;
}

static inline uint32_t number_at(const struct item* item, size_t offset) {
    uint32_t number = 0;
    if (offset + sizeof number <= item->size) memcpy(&number, item->bytes + offset, sizeof number);
    return number;
}
