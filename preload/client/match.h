/* Guesses by the text alone whether nlsh may answer a line: no allocation, no system call. */
#ifndef NLSH_PRELOAD_MATCH_H
#define NLSH_PRELOAD_MATCH_H

#include <stdbool.h>

/* True if the line names ip, bridge, sysctl or a file below /proc/sys. The server decides. */
bool may_be_ours(const char* line);

/* False: the line names something for which nlsh falls back. A wrong guess costs time only. */
bool may_be_native(const char* line);

/* Whether the line can do without stdout and stderr: ip and bridge act the same, and their text is
 * lost. Other commands and the shell fail. */
bool may_lack_outputs(const char* line);

/* Whether the line is likely to write something. A wrong guess costs 2 to 15 µs. */
bool may_print(const char* line);

/* Whether each command of the line has a word for a change that prints nothing, or an error. */
bool only_changes(const char* line);

/* Whether the line is one ip or bridge command that only shows: it can safely run twice. */
bool is_plain_show(const char* line);

#endif
