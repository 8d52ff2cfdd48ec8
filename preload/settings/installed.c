#include "preload/settings/installed.h"

#include <string.h>
#include <unistd.h>

#include "preload/libc/next.h"
#include "preload/libc/text.h"
#include "shim/rights/file_trust.h"

static bool installed_path(const char* relative, char* path, size_t size) {
    const char* const own = own_file();
    if (!own || own[0] != '/') return false;
    const size_t directory = (size_t)(text_base(own) - own);
    const size_t length = strlen(relative);
    if (directory + length >= size) return false;
    memcpy(path, own, directory);
    memcpy(path + directory, relative, length + 1);
    return true;
}

bool installed_found(const char* relative, char* path, size_t size) {
    return installed_path(relative, path, size) &&
           file_is_trusted_beside(path, geteuid(), own_file());
}

bool installed_trusted(const char* path) {
    return file_is_trusted(path, geteuid());
}
