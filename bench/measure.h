/* What the measuring programs of bench/ share: the clock, libc's own popen and system behind the
 * preload. */
#ifndef NLSH_BENCH_MEASURE_H
#define NLSH_BENCH_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

double now_us(void);
_Noreturn void fail(const char* what);

/* To its end, dropping what comes; false: an error. */
bool read_all(FILE* stream);
/* A shell line by popen (its output is read and dropped) or by system; false when its status isn't
 * 0. */
bool by_popen(const char* line);
bool by_system(const char* line);
/* The same, past the preload. */
bool by_libc_popen(const char* line);
bool by_libc_system(const char* line);

/* What a command asks of the kernel, recorded by bench/suite, and a socket as nlsh opens it. */
struct requests;
struct requests* requests_read(
    const char* path); /* a line for each: a message's hexadecimal digits, or a path and the
                          digits to write to it */
void requests_send(struct requests* requests); /* one after the other, each with its answer */
/* The same, but `group` of them are sent at once; they are changes. */
void requests_send_groups(struct requests* requests, size_t group);

#endif
