/* The operator's switch: the file `disable` beside the server's sockets (shim/engine/disabled.h).
 */
#ifndef NLSH_PRELOAD_SWITCH_H
#define NLSH_PRELOAD_SWITCH_H

#include <stdbool.h>

#include "preload/settings/config.h"

enum { SWITCH_MAX = sizeof((struct config*)0)->socket + sizeof "disable" };

/* Writes the file's path (at most SWITCH_MAX bytes), whether the file exists or not. */
void switch_path(char* path);
bool is_switched_off(void);

#endif
