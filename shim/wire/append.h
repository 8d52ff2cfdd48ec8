/* Appends to a file that the user named (NLSH_TRACE). If the file can't take a line, the line is
 * lost, and the program goes on. C17 and C++. */
#ifndef NLSH_WIRE_APPEND_H
#define NLSH_WIRE_APPEND_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes once, so that lines of several processes don't mix. Never waits or raises a signal, for
 * example if a disk or pipe is full, a pipe has no reader, or the file's size is limited. A
 * terminal doesn't become the process's controlling terminal. Async-signal-safe. */
void append_or_lose(const char* path, const char* text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
