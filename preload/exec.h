/* A command whose `ip netns exec NAME` is done. */
#ifndef NLSH_PRELOAD_EXEC_H
#define NLSH_PRELOAD_EXEC_H

/* As ip execs it: along the environment's PATH, which is ip's own. Returns when that isn't to be
 * had: ip says so. */
void exec_command(char* const* words, char* const* environment);

#endif
