#include "preload/exec/netns_exec.h"

#include <fcntl.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "preload/caller/inherited.h"

enum { PATH_SIZE = 512 };

/* DIRECTORY/NAME. False: too long. */
static bool join(char path[PATH_SIZE], const char* directory, const char* name) {
    const size_t start = strlen(directory), length = strlen(name);
    if (start + 1 + length >= PATH_SIZE) return false;
    memcpy(path, directory, start);
    path[start] = '/';
    memcpy(path + start + 1, name, length + 1);
    return true;
}

/* `ip netns exec` takes a process out of its VRF; the cgroup's name shows the VRF. */
static bool in_vrf(void) {
    char text[2048];
    const int file = open("/proc/self/cgroup", O_RDONLY | O_CLOEXEC);
    if (file < 0) return true;
    const ssize_t size = read(file, text, sizeof text - 1);
    close(file);
    if (size < 0 || size == (ssize_t)sizeof text - 1) return true;
    text[size] = 0;
    return strstr(text, "/vrf/") != NULL;
}

static bool enter(const char* name) {
    char path[PATH_SIZE];
    if (!join(path, "/run/netns", name)) return false;
    const int netns = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* a FIFO would wait */
    if (netns < 0) return false;
    const bool entered = setns(netns, CLONE_NEWNET) == 0;
    close(netns);
    return entered;
}

static bool mount_sys(const char* name) {
    return unshare(CLONE_NEWNS) == 0 && mount("", "/", "none", MS_SLAVE | MS_REC, NULL) == 0 &&
           umount2("/sys", MNT_DETACH) == 0 && mount(name, "/sys", "sysfs", 0, NULL) == 0;
}

static bool bind_file(const char* directory, const char* name) {
    char from[PATH_SIZE], to[PATH_SIZE];
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) return true;
    return join(from, directory, name) && join(to, "/etc", name) &&
           mount(from, to, "none", MS_BIND, NULL) == 0;
}

static bool bind_files(const char* name) {
    _Alignas(8) char entries[1024];
    char directory[PATH_SIZE];
    if (!join(directory, "/etc/netns", name)) return false;
    const int list = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (list < 0) return true;
    long got;
    bool good = true;
    while (good && (got = syscall(SYS_getdents64, list, entries, sizeof entries)) > 0) {
        for (const char *at = entries, *end = entries + got; good && at < end;) {
            const struct directory_entry* const entry = (const void*)at;
            good = bind_file(directory, entry->name);
            at += entry->size;
        }
    }
    close(list);
    return good && got == 0;
}

bool enter_netns(const char* name) {
    return !in_vrf() && enter(name) && mount_sys(name) && bind_files(name);
}
