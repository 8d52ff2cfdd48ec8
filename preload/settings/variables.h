/* The variables that a request carries (wire.h's NLSH_VARIABLES). */
#ifndef NLSH_PRELOAD_VARIABLES_H
#define NLSH_PRELOAD_VARIABLES_H

#include <stdint.h>
#include <sys/uio.h>

/* Gathers set variables, each with its NUL, straight from the environment. Returns the number of
 * parts, at most NLSH_VARIABLE_COUNT; -1: some are there twice. Adds their bytes to the size. */
int gather_variables(char* const* environment, struct iovec* parts, uint32_t* size);

#endif
