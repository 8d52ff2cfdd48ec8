#define _GNU_SOURCE 1
#include "shim/wire/root.h"

#include <fcntl.h>
#include <linux/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef STATX_MNT_ID_UNIQUE /* since Linux 6.8 */
#define STATX_MNT_ID_UNIQUE 0x00004000U
#endif

struct root root_of(const char* path) {
    struct statx status;
    if (syscall(SYS_statx, AT_FDCWD, path, AT_NO_AUTOMOUNT,
                STATX_INO | STATX_MNT_ID | STATX_MNT_ID_UNIQUE, &status) != 0)
        return (struct root){0};
    const uint64_t device = ((uint64_t)status.stx_dev_major << 32) | status.stx_dev_minor;
    const uint64_t mount = status.stx_mnt_id << 40 | status.stx_mnt_id >> 24;
    return (struct root){status.stx_ino ^ (device << 16) ^ mount, device, status.stx_ino,
                         status.stx_mnt_id};
}

uint64_t root_number(const char* path) {
    return root_of(path).number;
}
