/* Checks outputs, for code that writes in another program's place. */
#ifndef NLSH_PLAIN_SINK_H
#define NLSH_PLAIN_SINK_H

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether the descriptor is open for writing, and takes the same bytes from any process and in any
 * pieces. False for packet sockets and packet pipes, which keep writes apart; for files of /proc
 * and the like, which depend on the writer; for a socket that was shut down, which fails only at a
 * write; and for eventfd, timerfd and epoll. `mode`: fstat()'s. */
bool is_plain_sink(int descriptor, mode_t mode);

/* Whether the file hides its writer: a pipe, or /dev/null. */
bool hides_writer(const struct stat* file);

#ifdef __cplusplus
}
#endif
#endif
