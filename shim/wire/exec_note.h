/* nlsh, exec'd in the place of ip, bridge or a shell, gets the words `--exec FILE ARGV…`. Older
 * releases don't know these words and print their usage. So newer executables have this text in a
 * note, within their first page. */
#ifndef NLSH_WIRE_EXEC_NOTE_H
#define NLSH_WIRE_EXEC_NOTE_H

#include <stdbool.h>

#define NLSH_EXEC_NOTE "takes --exec, form 1\0\0\0" /* padded to a multiple of 4 */

/* Whether the nlsh at this path takes those words. Async-signal-safe. */
bool takes_exec(const char* path);

#endif
