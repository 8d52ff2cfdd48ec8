/* A note in the executable that the preload looks for (shim/wire/exec_note.h). */
#include "shim/wire/exec_note.h"

__attribute__((used, section(".note.nlsh"), aligned(4))) static const struct {
    unsigned name_size, size, type;
    char name[sizeof "nlsh\0\0"]; /* padded to a multiple of 4 */
    char value[sizeof NLSH_EXEC_NOTE];
} note = {5, sizeof NLSH_EXEC_NOTE, 1, "nlsh\0\0", NLSH_EXEC_NOTE};
