/* Where output goes, for code that writes in another program's place. */
#ifndef NLSH_PLAIN_SINK_H
#define NLSH_PLAIN_SINK_H

#include <stdbool.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The descriptor is open for writing, and takes bytes alike from any process and in any pieces. Not
 * so: sockets and pipes of packets, which keep the bytes of each write apart; files of /proc and
 * the like, which look at who writes; a socket that was shut down, which says so only to who
 * writes, be it nothing; what is no file (eventfd, timerfd, epoll). The mode is fstat()'s. */
bool is_plain_sink(int descriptor, mode_t mode);

#ifdef __cplusplus
}
#endif
#endif
