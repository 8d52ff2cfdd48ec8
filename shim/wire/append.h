/* Appends to a file that the user named (NLSH_TRACE). If the file can't take a line, the line is
 * lost, and the program goes on. C17 and C++. */
#ifndef NLSH_WIRE_APPEND_H
#define NLSH_WIRE_APPEND_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* By one write: lines of several processes don't mix. A full disk, a pipe without a reader, one
 * that isn't read, a limit of the file's size: neither waits nor raises a signal. A terminal
 * doesn't become the process's own. Async-signal-safe. */
void append_or_lose(const char* path, const char* text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
