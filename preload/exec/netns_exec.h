/* `ip netns exec NAME COMMAND` as ip does it before it becomes COMMAND. */
#ifndef NLSH_PRELOAD_NETNS_EXEC_H
#define NLSH_PRELOAD_NETNS_EXEC_H

#include <stdbool.h>

/* Enters a new mount namespace with the network namespace's /sys, and the files of /etc/netns/NAME
 * over those in /etc. False: some step failed; the real ip may still start over. */
bool enter_netns(const char* name);

#endif
