/* Whom a file that is loaded into a program, or started in the place of its shell, must belong to.
 */
#ifndef NLSH_FILE_TRUST_H
#define NLSH_FILE_TRUST_H

#include <stdbool.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A regular file of root's or of that user's, which nobody else may write. */
bool file_is_trusted(const char* path, uid_t user);
/* The same. A user namespace without the machine's root (bubblewrap) shows root's files as those of
 * the overflow uid, and also those of any other user that it doesn't map. So such a file must be on
 * the device of `own`, code of that owner which this process has loaded, and in a folder that is
 * that owner's and that nobody else may write: who put it there could have changed `own`, too. */
bool file_is_trusted_beside(const char* path, uid_t user, const char* own);

#ifdef __cplusplus
}
#endif
#endif
