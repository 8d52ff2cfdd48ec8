#include "shim/rights/file_trust.h"

#include <string.h>
#include <sys/stat.h>

enum { OVERFLOW = 65534 }; /* /proc/sys/kernel/overflowuid */

static bool is_others(const struct stat* file) {
    return (file->st_mode & (S_IWGRP | S_IWOTH)) != 0;
}

static bool is_plain(const char* path, struct stat* file) {
    return stat(path, file) == 0 && S_ISREG(file->st_mode) && !is_others(file);
}

bool file_is_trusted(const char* path, uid_t user) {
    struct stat file;
    return is_plain(path, &file) && (file.st_uid == 0 || file.st_uid == user);
}

static bool folder_of(const char* path, struct stat* folder) {
    char name[256];
    size_t length = 0, slash = 0;
    for (; path[length]; ++length)
        if (path[length] == '/') slash = length;
    if (slash == 0 || slash >= sizeof name) return false;
    memcpy(name, path, slash);
    name[slash] = 0;
    return stat(name, folder) == 0;
}

bool file_is_trusted_beside(const char* path, uid_t user, const char* own) {
    if (file_is_trusted(path, user)) return true;
    struct stat file, loaded, folder;
    return own && own[0] == '/' && is_plain(path, &file) && is_plain(own, &loaded) &&
           file.st_uid == OVERFLOW && file.st_uid == loaded.st_uid &&
           file.st_dev == loaded.st_dev && folder_of(path, &folder) &&
           folder.st_uid == file.st_uid && !is_others(&folder);
}
