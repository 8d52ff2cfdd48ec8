/* The calling thread's root directory, mount namespace and working directory. */
#ifndef NLSH_PRELOAD_PLACE_H
#define NLSH_PRELOAD_PLACE_H

#include <stdbool.h>
#include <stdint.h>

/* NULL, or why names in a line may mean other files to the thread than to the server. The first
 * call's result holds for later ones. */
const char* place_refusal(void);
/* The shell complains of that when it starts. */
bool working_directory_is_gone(void);

/* The number of the thread's root (shim/wire/root.h), after place_refusal() was NULL. */
uint64_t place_root(void);

#endif
