/* Whether the kernel would let the calling thread exec a file. A seccomp filter, Landlock, the
 * mount or the file's modes may forbid it; then the real tool fails, and so must the line. */
#ifndef NLSH_EXEC_PROBE_H
#define NLSH_EXEC_PROBE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* NULL: the exec would succeed. Otherwise the reason. A thread without a filter
 * (prctl(PR_GET_SECCOMP)) and without no_new_privs needs no probe. Under a filter, the probe also
 * finds out whether native work's system calls would get the process killed: probe before native
 * work. Allocates nothing, works in a vfork's child, changes errno. Takes 10 to 200 µs; with
 * no_new_privs on Linux 5.8 to 6.8 it runs the program (`ip -V`, `sh -c :`), which takes 1 ms. */
const char* exec_probe(const char* path, bool filtered, bool no_new_privs);

/* Whether Landlock keeps a thread with no_new_privs from files that a tool reads or writes. The
 * kernel shows Landlock nowhere, so this compares access with the files' modes. */
bool files_are_confined(void);

#ifdef __cplusplus
}
#endif
#endif
