/* The operator's switch: the file `disable` beside the server's sockets (shim/engine/disabled.h).
 */
#ifndef NLSH_PRELOAD_SWITCH_H
#define NLSH_PRELOAD_SWITCH_H

#include <stdbool.h>

#include "preload/settings/config.h"

enum { SWITCH_MAX = sizeof((struct config*)0)->socket + sizeof "disable" };

/* The file's path, whether it exists or not: SWITCH_MAX bytes. */
void switch_path(char* path);
bool is_switched_off(void);

#endif
