/* Would the kernel let the calling thread exec a file at all? A seccomp filter, Landlock, the mount
 * or the file's modes may forbid that; then the real tool fails, and native work would be more than
 * the caller may have. */
#ifndef NLSH_EXEC_PROBE_H
#define NLSH_EXEC_PROBE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* NULL: it would. Otherwise the reason. Nothing is to be found out of a thread that is neither
 * under a filter (prctl(PR_GET_SECCOMP)) nor has no_new_privs. Under a filter this tells also
 * whether a system call of native work would get the process killed, so ask before making any.
 * Allocates nothing, may be called in a vfork's child; errno changes. 10 to 200 µs; with
 * no_new_privs on Linux 5.8 to 6.8, which don't tell, the program is run (`ip -V`, `sh -c :`), 1
 * ms. */
const char* exec_probe(const char* path, bool filtered, bool no_new_privs);

/* Landlock, which shows nowhere, keeps a thread with no_new_privs from files that a tool reads or
 * writes, though their modes would let it. */
bool files_are_confined(void);

#ifdef __cplusplus
}
#endif
#endif
