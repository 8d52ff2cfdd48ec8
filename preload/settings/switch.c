#include "preload/settings/switch.h"

#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "preload/libc/text.h"

void switch_path(char* path) {
    static const char disable[] = "disable";
    const char* const socket = config()->socket;
    /* Not strrchr, because each imported name is looked up at every start. */
    const size_t directory = (size_t)(text_base(socket) - socket);
    memcpy(path, socket, directory);
    memcpy(path + directory, disable, sizeof disable);
}

bool is_switched_off(void) {
    char path[SWITCH_MAX];
    switch_path(path);
    return access(path, F_OK) == 0;
}
