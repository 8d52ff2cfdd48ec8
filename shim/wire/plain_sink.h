/* Where output goes, for whoever writes it in another program's place. */
#ifndef NLSH_PLAIN_SINK_H
#define NLSH_PLAIN_SINK_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes are taken alike from any process, and in any pieces. Not so: sockets and pipes of packets,
 * which keep the bytes of each write apart; files of /proc, which look at who writes; a socket that
 * was shut down, which says so only to who writes, be it nothing; nothing. */
bool is_plain_sink(int descriptor);

#ifdef __cplusplus
}
#endif
#endif
