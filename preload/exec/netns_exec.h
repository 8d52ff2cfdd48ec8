/* `ip netns exec NAME COMMAND` as ip does it before it becomes COMMAND. */
#ifndef NLSH_PRELOAD_NETNS_EXEC_H
#define NLSH_PRELOAD_NETNS_EXEC_H

#include <stdbool.h>

/* In a mount namespace of its own, /sys that of the network namespace, and the files of
 * /etc/netns/NAME in the places of those in /etc. False: not, or not all of it; the real ip may
 * still begin anew. */
bool enter_netns(const char* name);

#endif
