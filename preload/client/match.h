/* May a command line be one of ours? A pure look at the string: no allocation, no system call. */
#ifndef NLSH_PRELOAD_MATCH_H
#define NLSH_PRELOAD_MATCH_H

#include <stdbool.h>

/* True when the line names ip, bridge, sysctl or a file below /proc/sys. The server decides. */
bool may_be_ours(const char* line);

/* False: it names something that nlsh leaves to the shell. A guess: a wrong one costs time. */
bool may_be_native(const char* line);

/* Without stdout or stderr ip and bridge do the same, and their text is lost. Other commands and
 * the shell itself fail. */
bool may_lack_outputs(const char* line);

/* Is the line likely to write something? A guess: a wrong one costs 2 to 15 us. */
bool may_print(const char* line);

/* May a command write to stderr before the line ends? The server then looks whether stderr takes
 * it: a show that fails, with more commands behind it. */
bool may_complain(const char* line);

/* One command of ip or bridge that only shows. Whatever became of it, it may be run again. */
bool is_plain_show(const char* line);

#endif
