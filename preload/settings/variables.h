/* The variables that a request carries (wire.h's NLSH_VARIABLES). */
#ifndef NLSH_PRELOAD_VARIABLES_H
#define NLSH_PRELOAD_VARIABLES_H

#include <stdint.h>
#include <sys/uio.h>

/* Those that are set, each with its NUL, straight from the environment: how many parts, of
 * NLSH_VARIABLE_COUNT at most; -1: more, some are there twice. Adds their bytes to the size. */
int gather_variables(char* const* environment, struct iovec* parts, uint32_t* size);

#endif
