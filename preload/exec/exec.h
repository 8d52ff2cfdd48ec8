/* Programs that are exec'd in another program's place. */
#ifndef NLSH_PRELOAD_EXEC_H
#define NLSH_PRELOAD_EXEC_H

#include "preload/exec/in_place.h"

/* Returns if there is none, or it can't be exec'd: then the program itself is exec'd. */
void exec_now(const struct instead* instead, char* const* environment);

#endif
