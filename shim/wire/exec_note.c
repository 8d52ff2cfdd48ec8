#include "shim/wire/exec_note.h"

#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static bool holds(const char* bytes, size_t size) {
    const size_t length = strlen(NLSH_EXEC_NOTE);
    for (size_t at = 0; at + length <= size; ++at)
        if (bytes[at] == NLSH_EXEC_NOTE[0] && memcmp(bytes + at, NLSH_EXEC_NOTE, length) == 0)
            return true;
    return false;
}

bool takes_exec(const char* path) {
    char page[4096];
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (file < 0) return false;
    const ssize_t size = read(file, page, sizeof page);
    close(file);
    return size > 0 && holds(page, (size_t)size);
}
