#include "preload/spawned/spawned.h"

#include <stddef.h>
#include <string.h>
#include <sys/resource.h>

#include "preload/caller/caller.h"
#include "preload/caller/place.h"
#include "preload/client/match.h"
#include "preload/settings/config.h"
#include "preload/settings/installed.h"
#include "preload/settings/switch.h"
#include "preload/spawned/lapses.h"
#include "shim/wire/exec_note.h"
#include "shim/wire/lapse_file.h"

#ifndef NLSH_FROM_PRELOAD /* packaging/install.cmake */
#define NLSH_FROM_PRELOAD "../../../bin/nlsh"
#endif

static bool is_limited(int kind, rlim_t least) {
    struct rlimit limit;
    return getrlimit((unsigned)kind, &limit) != 0 || limit.rlim_cur < least;
}

/* nlsh needs more memory than a shell and an ip. */
static bool memory_is_limited(void) {
    const rlim_t enough = 256 << 20;
    return is_limited(RLIMIT_AS, enough) || is_limited(RLIMIT_DATA, enough) ||
           is_limited(RLIMIT_STACK, 1 << 20);
}

static bool find(struct spawned* spawned) {
    const char* const given = config()->program;
    if (given) {
        spawned->file = given;
        return given[0] == '/' && installed_trusted(given);
    }
    static const char places[][sizeof NLSH_FROM_PRELOAD] = {"nlsh", NLSH_FROM_PRELOAD};
    for (size_t i = 0; i < sizeof places / sizeof *places; ++i)
        if (installed_found(places[i], spawned->path, sizeof spawned->path)) return true;
    return false;
}

static bool is_longer(const char* line, size_t limit) {
    while (*line && limit--)
        ++line;
    return *line != 0;
}

/* Not inlined, so that its stack is free again before nlsh starts. */
__attribute__((noinline)) static bool may_be_started(struct spawned* spawned, const char* line) {
    enum { LONG = 4096 }; /* nlsh declines longer lines (shim/engine/engine.cpp) */
    if (config()->mock || is_longer(line, LONG) || !may_be_native(line)) return false;
    spawned->hash = lapse_hash(line);
    return !lapsed_before(spawned->hash) && !memory_is_limited() &&
           !is_limited(RLIMIT_NOFILE, DESCRIPTORS_MIN) &&
           !is_limited(RLIMIT_FSIZE, RLIM_INFINITY) && !is_switched_off() && find(spawned);
}

/* Appends what fits. Replaces slashes, because a program's name ends at its last slash. */
static char* add(char* at, const char* end, const char* text) {
    for (; *text && at < end; ++text)
        *at++ = *text == '/' ? '|' : *text;
    *at = 0;
    return at;
}

static char* argument(const char* text) {
    return (char*)(size_t)text;
}

/* "@89abcdef" */
static char* add_hash(char* at, const char* end, uint32_t hash) {
    enum { DIGITS = 8, BITS = 4 };
    char text[DIGITS + 2] = "@";
    for (int i = 0; i < DIGITS; ++i)
        text[1 + i] = "0123456789abcdef"[hash >> BITS * (DIGITS - 1 - i) & 0xf];
    text[DIGITS + 1] = 0;
    return add(at, end, text);
}

/* nlsh --for=FUNCTION[+][@HASH][:REASON] */
static void say_for(struct spawned* spawned, const char* function, bool noted, const char* reason) {
    const char* const end = spawned->function + sizeof spawned->function - 1;
    char* at = add(spawned->function, end, "nlsh --for=");
    at = add(at, end, function);
    if (noted) at = add_hash(at, end, spawned->hash);
    if (config()->trace[0]) add(add(at, end, ":"), end, reason);
}

bool spawned_prepare(struct spawned* spawned, const char* function, const char* line,
                     const char* reason) {
    spawned->line = line;
    spawned->file = NULL;
    if (working_directory_is_gone() || !may_be_started(spawned, line)) return false;
    say_for(spawned, function, false, reason);
    /* Another release's nlsh may not know that name, but every release takes `-q -c LINE`. */
    char** const arguments = spawned->arguments;
    arguments[0] = spawned->function;
    arguments[1] = argument("-q");
    arguments[2] = argument("-c");
    arguments[3] = argument(line);
    arguments[4] = NULL;
    return true;
}

bool spawned_prepare_exec(struct spawned* spawned, const char* function, const char* line,
                          const char* reason) {
    spawned->line = line;
    spawned->file = NULL;
    if (!may_be_started(spawned, line) || lapse_is_noted(spawned->hash)) return false;
    if (!takes_exec(spawned->file ? spawned->file : spawned->path)) return false;
    say_for(spawned, function, true, reason);
    return true;
}
