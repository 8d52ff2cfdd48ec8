#define _GNU_SOURCE 1 /* O_DIRECT, O_PATH */
#include "shim/wire/plain_sink.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>

static bool is_plain_socket(int descriptor) {
    int type = 0;
    socklen_t size = sizeof type;
    return getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM &&
           send(descriptor, "", 0, MSG_NOSIGNAL | MSG_DONTWAIT) == 0;
}

/* The kernel's own file systems, where a write's effect depends on the writer, or on the pieces. */
static const unsigned kernels[] = {
    PROC_SUPER_MAGIC,    SYSFS_MAGIC,      CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC,
    DEBUGFS_MAGIC,       SECURITYFS_MAGIC, TRACEFS_MAGIC,      NSFS_MAGIC,
    ANON_INODE_FS_MAGIC, SELINUX_MAGIC,    0x50494446 /* PID_FS_MAGIC, since Linux 6.9 */};

static bool is_plain_file(int descriptor) {
    struct statfs place;
    if (fstatfs(descriptor, &place) != 0) return false;
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; ++i)
        if ((unsigned)place.f_type == kernels[i]) return false;
    return true;
}

/* False also for access mode 3 (O_ACCMODE), a descriptor for ioctl() only. */
static bool is_written_plainly(int descriptor) {
    const int flags = fcntl(descriptor, F_GETFL), access = flags & O_ACCMODE;
    return flags >= 0 && (access == O_WRONLY || access == O_RDWR) &&
           (flags & (O_PATH | O_DIRECT)) == 0;
}

bool hides_writer(const struct stat* file) {
    enum { MEMORY = 1, NULL_DEVICE = 3 };
    return S_ISFIFO(file->st_mode) ||
           (S_ISCHR(file->st_mode) && file->st_rdev == makedev(MEMORY, NULL_DEVICE));
}

bool is_plain_sink(int descriptor, mode_t mode) {
    if (!is_written_plainly(descriptor)) return false;
    if (S_ISSOCK(mode)) return is_plain_socket(descriptor);
    if (S_ISREG(mode)) return is_plain_file(descriptor);
    return S_ISFIFO(mode) || S_ISCHR(mode) || S_ISBLK(mode);
}
