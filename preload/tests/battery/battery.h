/* Behaviours of popen, pclose, system, exec and posix_spawn as a program sees them; preload_battery
 * NAME prints a transcript. It must be the same with the preload (and a server that knows `ip test
 * …`) and without (and a script named ip). Tests named real_… run the real ip, with and without a
 * real server. */
#ifndef NLSH_BATTERY_H
#define NLSH_BATTERY_H

#include <stdio.h>
#include <sys/types.h>

struct behaviour {
    const char* name;
    void (*run)(void);
};

/* Puts a function into the table of behaviours, which the linker makes of this section. */
#define LISTED(name)                            \
    static const struct behaviour name##_listed \
        __attribute__((section("behaviours"), used)) = {#name, name}
/* BEHAVIOUR(NAME) { … } */
#define BEHAVIOUR(name)     \
    static void name(void); \
    LISTED(name);           \
    static void name(void)

/* The transcript's descriptor: a copy of stdout with a high number. */
int transcript(void);
void show(const char* what, long value);
/* Adds errno's meaning if the status is -1. */
void show_status(const char* what, int status);
/* The number of bytes until the end. */
long drain(int descriptor);
/* Calls system and popen, and shows all their results. */
void both(void);
/* Reads `limit` bytes of a command's output, with a pause after each read. */
void read_some(const char* command, long limit, useconds_t pause);
void nothing(int signal);
/* Sends SIGALRM periodically; 0: stops. */
void storm(long microseconds, void (*handler)(int));

#endif
