/* A number that identifies a thread's root directory. A process that asks in place of an exec sends
 * its root's number (wire.h), and the server compares it with the parent's. */
#ifndef NLSH_ROOT_H
#define NLSH_ROOT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The mount id (statx(2)) of the directory `path`, "/" or /proc/PID/root/. It identifies the mount
 * namespace, too, because each has mounts of its own. Linux 6.8 and later never reuse it. 0:
 * unknown. Thread-safe, changes errno. */
uint64_t root_number(const char* path);
/* The same, with the directory's identity and its mount (0: unknown, before Linux 5.8). */
struct root {
    uint64_t number, device, inode, mount;
};
struct root root_of(const char* path);

#ifdef __cplusplus
}
#endif
#endif
