/* What is left when an exec costs nothing: a library that ends the process where it would become
 * ip. */
#include <spawn.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int is_ip(const char* file) {
    const size_t length = strlen(file);
    return length >= 2 && strcmp(file + length - 2, "ip") == 0;
}

static int become(const char* file, char* const* arguments, char* const* environment) {
    if (is_ip(file) && (file[0] != '/' || access(file, X_OK) == 0)) _exit(0);
    return (int)syscall(SYS_execve, file, arguments, environment);
}

int execve(const char* file, char* const arguments[], char* const environment[]) {
    return become(file, arguments, environment);
}

int execv(const char* file, char* const arguments[]) {
    return become(file, arguments, environ);
}

int execvp(const char* file, char* const arguments[]) {
    return become(file, arguments, environ);
}

static int spawn(pid_t* child, const char* file, char* const* arguments, char* const* environment) {
    *child = vfork();
    if (*child == 0) {
        become(file, arguments, environment);
        _exit(127);
    }
    return *child < 0;
}

int posix_spawn(pid_t* child, const char* file, const posix_spawn_file_actions_t* actions,
                const posix_spawnattr_t* attributes, char* const arguments[],
                char* const environment[]) {
    (void)actions, (void)attributes;
    return spawn(child, file, arguments, environment);
}

int posix_spawnp(pid_t* child, const char* file, const posix_spawn_file_actions_t* actions,
                 const posix_spawnattr_t* attributes, char* const arguments[],
                 char* const environment[]) {
    (void)actions, (void)attributes;
    return spawn(child, file, arguments, environment);
}
