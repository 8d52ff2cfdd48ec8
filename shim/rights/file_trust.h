/* Whether to trust a file before loading it into a program, or starting it in the place of the
 * program's shell. */
#ifndef NLSH_FILE_TRUST_H
#define NLSH_FILE_TRUST_H

#include <stdbool.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether this is a regular file of root or `user`, and nobody else may write it. */
bool file_is_trusted(const char* path, uid_t user);
/* The same in a user namespace that doesn't map root (bubblewrap): there, files of root and of all
 * other unmapped users belong to the overflow uid. So the file must also have the owner and the
 * device of `own`, which this process has loaded as code. And the file's folder must belong to that
 * owner, without write access for others: a user who can put a file there could have changed `own`,
 * too. */
bool file_is_trusted_beside(const char* path, uid_t user, const char* own);

#ifdef __cplusplus
}
#endif
#endif
