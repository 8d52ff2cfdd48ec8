/* popen() by a spawned nlsh. */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "preload/libc/real.h"
#include "preload/popen/table.h"
#include "preload/spawned/posix_spawns.h"
#include "preload/spawned/spawned.h"

/* As in libc: the pipe's end becomes the child's stdin or stdout, and earlier streams are closed
 * there. */
static int start(const struct spawned* spawned, int end, int standard, pid_t* child) {
    posix_spawn_file_actions_t actions;
    int streams[TABLE_SLOTS];
    const int count = table_descriptors(streams);
    if (count < 0) return ENOMEM;
    int error = next_actions_init(&actions);
    if (error != 0) return error;
    error = next_actions_dup2(&actions, end, standard);
    for (int i = 0; error == 0 && i < count; ++i)
        if (streams[i] != standard) error = next_actions_close(&actions, streams[i]);
    if (error == 0)
        error = next_posix_spawn(child, spawned->file ? spawned->file : spawned->path, &actions,
                                 NULL, spawned->arguments);
    next_actions_destroy(&actions);
    return error;
}

FILE* spawned_popen(const struct spawned* spawned, const char* mode) {
    const bool reads = mode[0] == 'r';
    const int slot = table_reserve();
    if (slot < 0) return NULL;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        table_release(slot);
        return NULL;
    }
    const int own = ends[reads ? 0 : 1], childs = ends[reads ? 1 : 0];
    pid_t child = 0;
    FILE* const file = fdopen(own, reads ? "r" : "w");
    const bool started = file && start(spawned, childs, reads ? 1 : 0, &child) == 0;
    close(childs);
    if (!started) {
        if (file) {
            real_fclose(file);
        } else {
            close(own);
        }
        table_release(slot);
        return NULL;
    }
    if (mode[1] != 'e') fcntl(own, F_SETFD, 0);
    const struct stream stream = {.kind = STREAM_SPAWNED,
                                  .descriptor = own,
                                  .status = child,
                                  .socket = -1,
                                  .cookie = spawned->hash};
    table_publish(slot, file, &stream);
    return file;
}
