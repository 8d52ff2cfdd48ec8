#include "preload/place.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "preload/thread.h"

#ifndef STATX_MNT_ID_UNIQUE /* since Linux 6.8 */
#define STATX_MNT_ID_UNIQUE 0x00004000U
#endif

/* 0: there is no telling. Each mount namespace has mounts of its own: the number of the root's
 * tells one namespace from another, too. */
static uint64_t root_at(const char* path) {
    struct statx status;
    if (syscall(SYS_statx, AT_FDCWD, path, AT_NO_AUTOMOUNT,
                STATX_INO | STATX_MNT_ID | STATX_MNT_ID_UNIQUE, &status) != 0)
        return 0;
    const uint64_t device = ((uint64_t)status.stx_dev_major << 32) | status.stx_dev_minor;
    return status.stx_ino ^ (device << 16) ^ (status.stx_mnt_id << 40 | status.stx_mnt_id >> 24);
}

/* The server looks at a process's main thread. */
static bool is_main_threads(uint64_t root) {
    return thread_is_main() || root_at("/proc/self/root/") == root;
}

static const char other[] = "another root or mount namespace";
static _Atomic uint64_t root; /* of the first call; 0: not looked at */

/* The server looks once in a while only. */
const char* place_refusal(void) {
    const uint64_t present = root_at("/");
    if (present == 0) return other;
    uint64_t known = atomic_load(&root);
    if (known == 0) {
        if (!is_main_threads(present)) return other;
        if (atomic_compare_exchange_strong(&root, &known, present)) return NULL;
    }
    return known == present ? NULL : other;
}

const char* moved_refusal(void) {
    const uint64_t known = atomic_load(&root);
    return known == 0 || known == root_at("/") ? NULL : other;
}

/* The kernel marks the name of one that was unmounted; a longer one than ours isn't looked at. */
bool working_directory_is_gone(void) {
    char name[256];
    const long size = syscall(SYS_getcwd, name, sizeof name);
    return size <= 0 || name[0] != '/';
}
