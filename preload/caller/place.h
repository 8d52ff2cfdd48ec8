/* Where the calling thread stands: its root directory, mount namespace and working directory. */
#ifndef NLSH_PRELOAD_PLACE_H
#define NLSH_PRELOAD_PLACE_H

#include <stdbool.h>
#include <stdint.h>

/* NULL, or the reason why the names of a line may mean other files than to whoever runs it.
 * What the first call finds holds for those that follow. */
const char* place_refusal(void);
/* The shell says so at its start. */
bool working_directory_is_gone(void);

/* The number of the thread's root (shim/wire/root.h), after place_refusal() was NULL. */
uint64_t place_root(void);

#endif
