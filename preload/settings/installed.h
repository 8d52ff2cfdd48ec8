/* What is installed together with this library: the engine and nlsh itself. */
#ifndef NLSH_PRELOAD_INSTALLED_H
#define NLSH_PRELOAD_INSTALLED_H

#include <stdbool.h>
#include <stddef.h>

/* A path relative to this library's directory, as an absolute one. False: that directory isn't
 * known, or the path is too long. No lock: dladdr(3) takes the dynamic linker's. */
bool installed_path(const char* relative, char* path, size_t size);
/* A regular file of root's or of the caller's own, which nobody else may write. */
bool installed_trusted(const char* path);

#endif
