/* The cost without the exec: a library that ends the process where it would become ip, or a shell
 * with a line. For `ip netns exec` it still enters the namespace. */
#include <fcntl.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

static int ends_with(const char* file, const char* end) {
    const size_t length = strlen(file), wanted = strlen(end);
    return length >= wanted && strcmp(file + length - wanted, end) == 0;
}

static int is_ip(const char* file) {
    return ends_with(file, "ip");
}

static int is_line(const char* file, char* const* arguments) {
    return ends_with(file, "sh") && arguments[1] && strcmp(arguments[1], "-c") == 0;
}

static int is_netns_exec(char* const* arguments) {
    return arguments[1] && strcmp(arguments[1], "netns") == 0 && arguments[2] &&
           strcmp(arguments[2], "exec") == 0 && arguments[3] && arguments[4];
}

/* Enters the namespace and mounts its /sys, as ip netns exec does. */
static void enter(const char* name) {
    char path[128];
    snprintf(path, sizeof path, "/run/netns/%s", name);
    const int netns = open(path, O_RDONLY | O_CLOEXEC);
    if (netns < 0 || setns(netns, CLONE_NEWNET) != 0 || unshare(CLONE_NEWNS) != 0 ||
        mount("", "/", "none", MS_SLAVE | MS_REC, NULL) != 0 || umount2("/sys", MNT_DETACH) != 0 ||
        mount(name, "/sys", "sysfs", 0, NULL) != 0)
        _exit(127);
    close(netns);
}

static int become(const char* file, char* const* arguments, char* const* environment) {
    if (is_line(file, arguments)) _exit(0);
    if (is_ip(file) && (file[0] != '/' || access(file, X_OK) == 0)) {
        if (!is_netns_exec(arguments)) _exit(0);
        enter(arguments[3]);
        return execvpe(arguments[4], arguments + 4, environment);
    }
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
