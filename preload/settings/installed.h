/* Files that are installed together with this library: the engine and nlsh. */
#ifndef NLSH_PRELOAD_INSTALLED_H
#define NLSH_PRELOAD_INSTALLED_H

#include <stdbool.h>
#include <stddef.h>

/* Makes a path relative to this library's directory absolute. False: the directory is unknown, the
 * path is too long, or there is no trusted file (file_is_trusted_beside). Takes no lock, as
 * dladdr(3) would. */
bool installed_found(const char* relative, char* path, size_t size);
/* Whether this is a regular file of root or the caller, and nobody else may write it. */
bool installed_trusted(const char* path);

#endif
