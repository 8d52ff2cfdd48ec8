/* Reads a tool's file for exec_rights.h. */
#define _GNU_SOURCE 1
#include <endian.h>
#include <errno.h>
#include <linux/capability.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>

#include "shim/rights/exec_rights.h"

/* Revision 3 of the attribute belongs to the root of another user namespace: treat it as
 * unknown. */
static bool file_capabilities(const char* path, struct exec_file* file) {
    struct vfs_cap_data data;
    const ssize_t size = getxattr(path, "security.capability", &data, sizeof data);
    if (size < 0) return errno == ENODATA || errno == ENOTSUP;
    const bool wide = size == XATTR_CAPS_SZ_2;
    if (!wide && size != XATTR_CAPS_SZ_1) return false;
    const uint32_t head = le32toh(data.magic_etc);
    if ((head & VFS_CAP_REVISION_MASK) != (wide ? VFS_CAP_REVISION_2 : VFS_CAP_REVISION_1))
        return false;
    file->has_capabilities = true;
    file->makes_effective = (head & VFS_CAP_FLAGS_EFFECTIVE) != 0;
    file->permitted = le32toh(data.data[0].permitted);
    file->inheritable = le32toh(data.data[0].inheritable);
    if (wide) {
        file->permitted |= (uint64_t)le32toh(data.data[1].permitted) << 32;
        file->inheritable |= (uint64_t)le32toh(data.data[1].inheritable) << 32;
    }
    return true;
}

/* The kernel ignores setgid if the group may not execute the file. */
static bool has_setgid(const struct stat* status) {
    return (status->st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP);
}

bool exec_file_of(const char* path, struct exec_file* file) {
    *file = (struct exec_file){0};
    struct stat status;
    if (stat(path, &status) != 0) return false;
    file->setuid = (status.st_mode & S_ISUID) != 0;
    file->setgid = has_setgid(&status);
    file->user = status.st_uid;
    file->group = status.st_gid;
    if (!file_capabilities(path, file)) return false;
    if (!file->setuid && !file->setgid && !file->has_capabilities) return true;
    struct statvfs mount;
    if (statvfs(path, &mount) != 0) return false;
    if (mount.f_flag & ST_NOSUID) *file = (struct exec_file){0};
    return true;
}
