/* Whom a file that is loaded into a program, or started in the place of its shell, must belong to.
 */
#ifndef NLSH_FILE_TRUST_H
#define NLSH_FILE_TRUST_H

#include <stdbool.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* True for a regular file of root or of that user that nobody else may write. */
bool file_is_trusted(const char* path, uid_t user);
/* The same in a user namespace that doesn't map root (bubblewrap): there, files of root and of all
 * other unmapped users belong to the overflow uid. So the file must also have the owner and the
 * device of `own`, which this process has loaded as code, and be in a folder of that owner that
 * nobody else may write: a user who can put a file there could have changed `own`, too. */
bool file_is_trusted_beside(const char* path, uid_t user, const char* own);

#ifdef __cplusplus
}
#endif
#endif
