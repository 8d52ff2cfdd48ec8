/* What is exec'd in a program's place. */
#ifndef NLSH_PRELOAD_EXEC_H
#define NLSH_PRELOAD_EXEC_H

#include "preload/exec/in_place.h"

/* Returns when there is nothing, or it can't be exec'd: the program itself is. */
void exec_now(const struct instead* instead, char* const* environment);

#endif
