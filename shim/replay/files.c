// The calls of ip and bridge that open files.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim/replay/calls.h"

static int real_open(const char* path, int flags, mode_t mode) {
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

static int is_machine(const char* path) {
    static const char* const folders[] = {"/proc/", "/sys/", "/run/", "/etc/", "/var/", "/tmp/"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; ++i)
        if (strncmp(path, folders[i], strlen(folders[i])) == 0) return 1;
    return strstr(path, "/iproute2/") != NULL || path[0] != '/';
}

static void record_file(const char* path, int file, uint32_t error) {
    static unsigned char bytes[1024 * 1024];
    ssize_t size = 0, got;
    while (file >= 0 && (got = pread(file, bytes + size, sizeof bytes - (size_t)size, size)) > 0)
        size += got;
    if ((size_t)size == sizeof bytes) spoil("a large file");
    record_parts('F', (const void*[]){&error, path, bytes},
                 (size_t[]){4, strlen(path) + 1, (size_t)size}, 3);
}

static int opened(const char* path, int flags, mode_t mode) {
    const int writes = (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC));
    if (state.mode == replaying) {
        if (!writes && !is_machine(path)) return real_open(path, flags, mode);
        errno = 0;
        const int file = writes ? -1 : replay_open(path);
        if (writes) differ();
        if (file < 0 && errno == 0) errno = writes ? EACCES : ENOENT;
        return file;
    }
    const int file = real_open(path, flags, mode);
    const int error = errno;
    if (state.mode == recording) {
        struct stat status;
        if (writes && strcmp(path, "/dev/null") != 0) spoil("opens a file for writing");
        if (file >= 0 && (fstat(file, &status) != 0 || !S_ISREG(status.st_mode))) {
            spoil("opens what isn't a file");
        } else if (is_machine(path)) {
            record_file(path, file, file < 0 ? (uint32_t)error : 0);
        }
    }
    errno = error;
    return file;
}

int open(const char* path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return opened(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return opened(path, flags, mode);
}

int __open_2(const char* path, int flags);
int __open_2(const char* path, int flags) {
    return opened(path, flags, 0);
}
int __open64_2(const char* path, int flags);
int __open64_2(const char* path, int flags) {
    return opened(path, flags, 0);
}

static int flags_of(const char* mode) {
    return mode[0] == 'r' && strchr(mode, '+') == NULL ? O_RDONLY : O_RDWR | O_CREAT;
}

FILE* fopen64(const char* path, const char* mode) {
    if (state.mode == idle || flags_of(mode) != O_RDONLY) {
        if (state.mode == replaying) {
            differ();
            errno = EACCES;
            return NULL;
        }
        spoil("opens a file for writing");
        FILE* (*real)(const char*, const char*) =
            (FILE * (*)(const char*, const char*)) dlsym(RTLD_NEXT, "fopen64");
        return real(path, mode);
    }
    const int file = opened(path, O_RDONLY | O_CLOEXEC, 0);
    return file < 0 ? NULL : fdopen(file, "r");
}

FILE* fopen(const char* path, const char* mode) {
    return fopen64(path, mode);
}

// -batch FILE is opened in the place of stdin.
FILE* freopen64(const char* path, const char* mode, FILE* stream) {
    if (state.mode == idle || path == NULL || flags_of(mode) != O_RDONLY) {
        if (state.mode != idle) spoil("freopen");
        if (state.mode == replaying) differ();
        FILE* (*real)(const char*, const char*, FILE*) =
            (FILE * (*)(const char*, const char*, FILE*)) dlsym(RTLD_NEXT, "freopen64");
        return real(path, mode, stream);
    }
    const int file = opened(path, O_RDONLY | O_CLOEXEC, 0);
    if (file < 0) return NULL;
    const int taken = dup2(file, fileno(stream));
    close(file);
    return taken < 0 ? NULL : stream;
}

FILE* freopen(const char* path, const char* mode, FILE* stream) {
    return freopen64(path, mode, stream);
}

DIR* opendir(const char* path) {
    if (state.mode == replaying && is_machine(path)) {
        if (strstr(path, "/iproute2/") == NULL) differ();
        errno = ENOENT;
        return NULL;
    }
    DIR* (*real)(const char*) = (DIR * (*)(const char*)) dlsym(RTLD_NEXT, "opendir");
    if (state.mode == recording && strstr(path, "/iproute2/") == NULL) spoil("reads a folder");
    return real(path);
}
