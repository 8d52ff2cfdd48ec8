#include "preload/settings/installed.h"

#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "preload/libc/next.h"
#include "preload/libc/text.h"

bool installed_path(const char* relative, char* path, size_t size) {
    const char* const own = own_file();
    if (!own || own[0] != '/') return false;
    const size_t directory = (size_t)(text_base(own) - own);
    const size_t length = strlen(relative);
    if (directory + length >= size) return false;
    memcpy(path, own, directory);
    memcpy(path + directory, relative, length + 1);
    return true;
}

bool installed_trusted(const char* path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
           (status.st_uid == 0 || status.st_uid == geteuid()) &&
           (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}
