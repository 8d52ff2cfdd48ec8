#include "preload/caller/certain.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The kernel opens the file and asks whether it may be executed, then reads this argv, which can't
 * be read. Linux 5.8 to 6.8 read argv first: access() asks, too. */
static bool is_let_through(const char* file, char* const* environment) {
    syscall(SYS_execve, file, (char**)1, environment);
    return errno == EFAULT && getuid() == geteuid() && access(file, X_OK) == 0;
}

static bool reads(int file, void* bytes, size_t size, size_t at) {
    return syscall(SYS_pread64, file, bytes, size, at) == (long)size;
}

/* Whether the interpreter exists, or none is needed. */
static bool is_interpreter_there(int file, const ElfW(Phdr) * segment) {
    char path[PATH_MAX];
    if (segment->p_type != PT_INTERP) return true;
    if (segment->p_filesz == 0 || segment->p_filesz > sizeof path ||
        !reads(file, path, segment->p_filesz, segment->p_offset) || path[segment->p_filesz - 1])
        return false;
    return access(path, X_OK) == 0;
}

/* A script would need its interpreter, and so on. */
static bool is_binary(int file) {
    enum { SEGMENTS_MAX = 64 };
    ElfW(Ehdr) header;
    if (!reads(file, &header, sizeof header, 0) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_phentsize != sizeof(ElfW(Phdr)) || header.e_phnum > SEGMENTS_MAX)
        return false;
    for (size_t i = 0; i < header.e_phnum; ++i) {
        ElfW(Phdr) segment;
        if (!reads(file, &segment, sizeof segment, header.e_phoff + i * sizeof segment) ||
            !is_interpreter_there(file, &segment))
            return false;
    }
    return true;
}

bool exec_is_certain(const char* path, char* const* environment) {
    const int error = errno;
    bool certain = is_let_through(path, environment);
    const int file = certain ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    certain = file >= 0 && is_binary(file);
    if (file >= 0) close(file);
    errno = error;
    return certain;
}
