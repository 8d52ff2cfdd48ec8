/* execve() and its family: a process that would become ip or bridge asks the server instead. The
 * caller may be the child of a fork or a vfork. */
#include <alloca.h>
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "preload/exec/exec.h"
#include "preload/libc/next.h"
#include "preload/libc/readable.h"

#define PUBLIC __attribute__((visibility("default")))

static void exec_instead(const struct program* program) {
    struct instead instead;
    do_in_place(program, &instead);
    exec_now(&instead, program->environment);
}

static int exec_file(const char* path, char* const* arguments, char* const* environment) {
    const bool ours = is_readable_text(path) && may_be_done_in_place(path, arguments);
    const enum there there = ours ? program_is_there(path) : IS_FOR_EXEC_TO_SAY;
    if (there == IS_THERE) {
        const struct program program = {"exec", path, arguments, environment, NULL};
        exec_instead(&program);
    }
    /* A program that searches PATH itself tries one directory after the other. */
    if (there == IS_MISSING) {
        errno = ENOENT;
        return -1;
    }
    return next_execve(path, arguments, environment);
}

/* Execs the command as ip would, along the PATH in `environment`. Returns if the exec fails; the
 * real ip then reports the failure. */
static void exec_command(char* const* words, char* const* environment) {
    char found[FOUND_MAX];
    if (strchr(words[0], '/')) {
        exec_file(words[0], words, environment);
    } else if (find_along_path(words[0], environment, found, sizeof found)) {
        exec_file(found, words, environment);
    }
}

void exec_now(const struct instead* instead, char* const* environment) {
    const struct spawned* const nlsh = &instead->spawned;
    if (instead->command) exec_command(instead->command, environment);
    if (instead->nlsh)
        next_execve(nlsh->file ? nlsh->file : nlsh->path, instead->words, environment);
}

static int exec_along_path(const char* file, char* const* arguments, char* const* environment) {
    char found[FOUND_MAX];
    const bool path = strchr(file, '/') != NULL;
    if (may_be_done_in_place(file, arguments) &&
        (path ? program_is_there(file) == IS_THERE
              : find_along_path(file, environ, found, sizeof found))) {
        const struct program program = {"exec", path ? file : found, arguments, environment, NULL};
        exec_instead(&program);
    }
    return next_execvpe(file, arguments, environment);
}

PUBLIC int execve(const char* path, char* const arguments[], char* const environment[]) {
    return exec_file(path, arguments, environment);
}

PUBLIC int execv(const char* path, char* const arguments[]) {
    return exec_file(path, arguments, environ);
}

PUBLIC int execvp(const char* file, char* const arguments[]) {
    return exec_along_path(file, arguments, environ);
}

PUBLIC int execvpe(const char* file, char* const arguments[], char* const environment[]) {
    return exec_along_path(file, arguments, environment);
}

/* Counts words up to NULL. */
static size_t count(va_list list) {
    size_t words = 1;
    while (va_arg(list, char*))
        ++words;
    return words;
}

/* By pointer: where va_list isn't an array, as on arm64, a callee that gets the list itself doesn't
 * advance the caller's. */
static void collect(char** arguments, const char* first, va_list* list) {
    *arguments = (char*)(size_t)first;
    while (*arguments)
        *++arguments = va_arg(*list, char*);
}

/* The words after `first` as an array; leaves the list behind them. */
#define COLLECT(arguments, first, list)                                                 \
    va_start(list, first);                                                              \
    char** const arguments = alloca((1 + ((first) ? count(list) : 0)) * sizeof(char*)); \
    va_end(list);                                                                       \
    va_start(list, first);                                                              \
    collect(arguments, first, &(list))

PUBLIC int execl(const char* path, const char* first, ...) {
    va_list list;
    COLLECT(arguments, first, list);
    va_end(list);
    return exec_file(path, arguments, environ);
}

PUBLIC int execlp(const char* file, const char* first, ...) {
    va_list list;
    COLLECT(arguments, first, list);
    va_end(list);
    return exec_along_path(file, arguments, environ);
}

PUBLIC int execle(const char* path, const char* first, ...) {
    va_list list;
    COLLECT(arguments, first, list);
    char* const* const environment = va_arg(list, char* const*);
    va_end(list);
    return exec_file(path, arguments, environment);
}
