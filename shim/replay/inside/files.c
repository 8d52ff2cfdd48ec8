// The calls of ip and bridge that open files.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim/replay/inside/calls.h"

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

// A namespace's file that is made, their folder, and the device that makes tuns.
static int leaves(const char* path, int flags) {
    const int made = (flags & (O_CREAT | O_DIRECTORY)) != 0 && strstr(path, "/netns") != NULL;
    return made || strcmp(path, "/dev/net/tun") == 0;
}

static int left(const char* path, int flags, mode_t mode) {
    char text[PATH_MAX + 32];
    snprintf(text, sizeof text, "open %x %s", (unsigned)flags, path);
    if (state.mode == replaying)
        return replay_call(text) == 0 ? memfd_create("left", MFD_CLOEXEC) : -1;
    const int file = real_open(path, flags, mode);
    record_call(text, file);
    return file;
}

// The process's own folder by another name: the tape is another process's. And /run, which is what
// /var/run is.
static const char* canonical(const char* path, char buffer[PATH_MAX]) {
    if (strncmp(path, "/var/run/", strlen("/var/run/")) == 0) return path + strlen("/var");
    const size_t size = (size_t)snprintf(buffer, PATH_MAX, "/proc/%d/", (int)getpid());
    if (strncmp(path, buffer, size) != 0) return path;
    snprintf(buffer, PATH_MAX, "/proc/self/%s", path + size);
    return buffer;
}

static int opened(const char* path, int flags, mode_t mode) {
    char buffer[PATH_MAX];
    path = canonical(path, buffer);
    if (leaves(path, flags)) return left(path, flags, mode);
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

int open64(const char* path, int flags, ...) __attribute__((alias("open")));

int __open_2(const char* path, int flags);
int __open_2(const char* path, int flags) {
    return opened(path, flags, 0);
}
int __open64_2(const char* path, int flags) __attribute__((alias("__open_2")));

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
        return REAL(fopen64)(path, mode);
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
        return REAL(freopen64)(path, mode, stream);
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

// A folder that a replay reads.
static struct {
    int descriptor;          // as an open folder has one: messages name others by their numbers
    const char *next, *end;  // names, each with a NUL
    struct dirent entry;
} folder;

static DIR* replay_folder(const char* path) {
    struct item item;
    const size_t length = strlen(path) + 1;
    for (size_t place = 0; next_item(state.tape, state.tape_size, &place, &item);) {
        if (item.kind != 'G' || item.size < 4 + length) continue;
        const char* names = (const char*)item.bytes + 4;
        if (memcmp(names, path, length) != 0) continue;
        errno = (int)number_at(&item, 0);
        folder.next = names + length;
        folder.end = (const char*)item.bytes + item.size;
        if (errno != 0) return NULL;
        folder.descriptor = memfd_create("folder", MFD_CLOEXEC);
        return (DIR*)&folder;
    }
    differ();
    errno = ENOENT;
    return NULL;
}

static void record_folder(const char* path, DIR* opened) {
    char names[64 * 1024];
    size_t used = 0;
    const uint32_t error = opened == NULL ? (uint32_t)errno : 0;
    const struct dirent* entry = NULL;
    while (opened != NULL && (entry = REAL(readdir)(opened)) != NULL &&
           used + sizeof entry->d_name <= sizeof names)
        used = (size_t)(stpcpy(names + used, entry->d_name) + 1 - names);
    if (opened != NULL && entry != NULL) spoil("a large folder");
    record_parts('G', (const void*[]){&error, path, names}, (size_t[]){4, strlen(path) + 1, used},
                 3);
    if (opened != NULL) rewinddir(opened);
    errno = (int)error;
}

// Folders of name tables are as if they weren't there.
DIR* opendir(const char* path) {
    char buffer[PATH_MAX];
    path = canonical(path, buffer);
    const int named = strstr(path, "/netns") != NULL;
    if (state.mode == replaying && named) return replay_folder(path);
    if (state.mode == replaying && is_machine(path)) {
        if (strstr(path, "/iproute2/") == NULL) differ();
        errno = ENOENT;
        return NULL;
    }
    if (state.mode != recording) return REAL(opendir)(path);
    if (!named && strstr(path, "/iproute2/") == NULL) spoil("reads a folder");
    DIR* opened = REAL(opendir)(path);
    if (named) record_folder(path, opened);
    return opened;
}

struct dirent* readdir(DIR* opened) {
    if (opened != (DIR*)&folder) return REAL(readdir)(opened);
    if (folder.next == folder.end) return NULL;
    const size_t size = strlen(folder.next) + 1;
    if (size > sizeof folder.entry.d_name) return NULL;
    memcpy(folder.entry.d_name, folder.next, size);
    folder.next += size;
    return &folder.entry;
}

struct dirent64* readdir64(DIR* opened) {
    _Static_assert(sizeof(struct dirent64) == sizeof(struct dirent), "one layout");
    return (struct dirent64*)readdir(opened);
}

int closedir(DIR* opened) {
    if (opened == (DIR*)&folder) return close(folder.descriptor);
    return REAL(closedir)(opened);
}
