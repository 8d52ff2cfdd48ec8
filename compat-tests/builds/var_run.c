// Plays a build that was made with /var/run/netns for the names of network namespaces (Ubuntu's
// 5.15): as a library that an ip needs, it opens that in the place of /run/netns.
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>

#include "hook.h"

enum { PATH_ROOM = 4096 };

static const char* below_var(const char* path, char room[PATH_ROOM]) {
    if (strncmp(path, "/run/netns", strlen("/run/netns")) != 0) return path;
    snprintf(room, PATH_ROOM, "/var%s", path);
    return room;
}

static int open_below_var(const char* path, int flags, int mode) {
    char room[PATH_ROOM];
    return open64(below_var(path, room), flags, mode);
}

static DIR* opendir_below_var(const char* path) {
    char room[PATH_ROOM];
    return opendir(below_var(path, room));
}

__attribute__((constructor)) static void play(void) {
    struct hook hooks[] = {{"open64", (void*)open_below_var},
                           {"opendir", (void*)opendir_below_var}};
    for (size_t i = 0; i < sizeof hooks / sizeof *hooks; ++i)
        dl_iterate_phdr(hook_program, &hooks[i]);
}
