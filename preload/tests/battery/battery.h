/* Behaviours of popen, pclose, system, exec and posix_spawn as a program sees them; preload_battery
 * NAME prints a transcript. It must be the same under the preload, with a server that knows `ip
 * test …`, and without it, with a script named ip. Those named real_… run the real ip, with and
 * without a real server. */
#ifndef NLSH_BATTERY_H
#define NLSH_BATTERY_H

#include <stdio.h>
#include <sys/types.h>

struct behaviour {
    const char* name; /* NULL: the end of a table */
    void (*run)(void);
};

extern const struct behaviour stream_behaviours[], descriptor_behaviours[], signal_behaviours[],
    thread_behaviours[], process_behaviours[], right_behaviours[], exec_behaviours[],
    exec_failure_behaviours[], spawn_behaviours[], vfork_behaviours[];

/* The transcript's descriptor: standard output as it was, out of the way of the low numbers. */
int transcript(void);
void show(const char* what, long value);
/* With errno's meaning when it is -1. */
void show_status(const char* what, int status);
/* The number of bytes until the end. */
long drain(int descriptor);
/* One system and one popen, and all that they give. */
void both(void);
/* Reads so much of a command's output, with a pause after each piece. */
void read_some(const char* command, long limit, useconds_t pause);
/* A signal handler. */
void nothing(int signal);
/* SIGALRM, again and again; 0: no more. */
void storm(long microseconds, void (*handler)(int));

#endif
