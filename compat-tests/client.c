// An ordinary program that runs command lines by popen() and system(), as network daemons do.
// It knows nothing of nlsh: the runner starts it with or without the preload.
//
// Usage: client FD. Requests arrive on FD as "OPERATION LENGTH\n" and LENGTH bytes, replies go back
// as "STATUS OUTPUT_LENGTH ERRORS_LENGTH\n" and the bytes. Operations:
//   n  enter a fresh network namespace, quiet: no IPv6 duplicate address detection (it takes a
//   second) and,
//      unless the payload says "link-local", no link-local addresses (they are random and make
//      traffic); the names that earlier blocks gave to namespaces (this /run is private) go
//   p  popen(payload), read to the end, pclose       s  system(payload)
//   x  posix_spawn of the payload's words, each of which ends with a NUL, without the preload
//   e  fork and execvp of the words    v  posix_spawnp of the words
//   f  the same; ip and bridge by a process that forks for each command (forkserver.c). It is
//      FORK_SERVER, and lives until the next namespace
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

enum { MAX_WORDS = 64 };

static struct fork_server {
    const char* name;
    pid_t process;  // 0: not started
    int socket;
} fork_servers[] = {{"ip", 0, -1}, {"bridge", 0, -1}};
enum { FORK_SERVERS = sizeof fork_servers / sizeof *fork_servers };

struct bytes {
    char* data;
    size_t size;
};

static void fail(const char* what) {
    dprintf(STDERR_FILENO, "client: %s: %s\n", what, strerror(errno));
    _exit(99);
}

static void append(struct bytes* to, const char* data, size_t size) {
    to->data = realloc(to->data, to->size + size + 1);
    if (!to->data) fail("realloc");
    memcpy(to->data + to->size, data, size);
    to->size += size;
}

// Takes what was written to descriptor `fd`, a memory file, and empties it.
static struct bytes take(int fd) {
    struct bytes taken = {NULL, 0};
    char buffer[65536];
    ssize_t count;
    while ((count = pread(fd, buffer, sizeof buffer, (off_t)taken.size)) > 0)
        append(&taken, buffer, (size_t)count);
    if (ftruncate(fd, 0) || lseek(fd, 0, SEEK_SET)) fail("empty");
    return taken;
}

static void write_sysctl(const char* path, const char* value) {
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return;  // a kernel without IPv6
    if (write(fd, value, strlen(value)) < 0) fail(path);
    close(fd);
}

// Several mounts may lie on one name.
static void forget_named_namespaces(void) {
    DIR* names = opendir("/run/netns");
    if (!names) return;  // none was ever named
    struct dirent* entry;
    while ((entry = readdir(names))) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        char path[sizeof "/run/netns/" + sizeof entry->d_name];
        snprintf(path, sizeof path, "/run/netns/%s", entry->d_name);
        while (!umount2(path, MNT_DETACH))
            ;
        if (remove(path)) fail(path);
    }
    closedir(names);
}

static void end_fork_servers(void) {
    for (int i = 0; i < FORK_SERVERS; ++i) {
        struct fork_server* each = &fork_servers[i];
        if (!each->process) continue;
        close(each->socket);
        while (waitpid(each->process, NULL, 0) < 0 && errno == EINTR)
            ;
        each->process = 0;
    }
}

static int enter_fresh_namespace(const char* wish) {
    end_fork_servers();
    forget_named_namespaces();
    if (unshare(CLONE_NEWNET)) return errno;
    if (strcmp(wish, "link-local"))
        write_sysctl("/proc/sys/net/ipv6/conf/default/addr_gen_mode", "1");
    write_sysctl("/proc/sys/net/ipv6/conf/default/accept_dad", "0");
    write_sysctl("/proc/sys/net/ipv6/conf/all/accept_dad", "0");
    return 0;
}

static int run_popen(const char* line, struct bytes* out) {
    FILE* stream = popen(line, "r");
    if (!stream) return -1;
    char buffer[4096];
    size_t count;
    while ((count = fread(buffer, 1, sizeof buffer, stream)) > 0)
        append(out, buffer, count);
    return pclose(stream);
}

static int wait_of(pid_t child) {
    int status = -1;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

static void split(const struct bytes* words, char* argv[MAX_WORDS + 1]) {
    size_t count = 0;
    for (char* word = words->data; word < words->data + words->size; word += strlen(word) + 1)
        if (count < MAX_WORDS) argv[count++] = word;
    argv[count] = NULL;
}

static int spawn_words(const struct bytes* words, char** environment) {
    char* argv[MAX_WORDS + 1];
    pid_t child;
    split(words, argv);
    return posix_spawnp(&child, argv[0], NULL, NULL, argv, environment) ? -1 : wait_of(child);
}

// As if there were no preload.
static int run_words(const struct bytes* words) {
    enum { VARIABLES = 256 };
    static char* plain[VARIABLES + 2];
    size_t count = 0;
    if (!getenv("LD_PRELOAD")) return spawn_words(words, environ);
    for (char** each = environ; *each && count < VARIABLES; ++each)
        if (strncmp(*each, "LD_PRELOAD=", 11) && strncmp(*each, "NLSH_EXEC=", 10))
            plain[count++] = *each;
    plain[count++] = "NLSH_EXEC=0";
    plain[count] = NULL;
    return spawn_words(words, plain);
}

static int exec_words(const struct bytes* words) {
    char* argv[MAX_WORDS + 1];
    split(words, argv);
    const pid_t child = fork();
    if (child < 0) fail("fork");
    if (child == 0) {
        execvp(argv[0], argv);
        _exit(127);
    }
    return wait_of(child);
}

static void start_fork_server(struct fork_server* server) {
    int pair[2];
    char number[16];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair)) fail("socketpair");
    server->process = fork();
    if (server->process < 0) fail("fork");
    if (server->process == 0) {
        snprintf(number, sizeof number, "%d", dup(pair[1]));
        setenv("NLSH_FORK_SERVER", number, 1);
        setenv("LD_PRELOAD", getenv("FORK_SERVER"), 1);
        execlp(server->name, server->name, NULL);
        _exit(127);
    }
    close(pair[1]);
    server->socket = fcntl(pair[0], F_DUPFD_CLOEXEC, 100);
    close(pair[0]);
}

static int by_fork_server(struct fork_server* server, const struct bytes* words) {
    const uint32_t size = (uint32_t)words->size;
    int32_t status = -1;
    if (!server->process) start_fork_server(server);
    const struct iovec parts[] = {{(void*)&size, sizeof size}, {words->data, words->size}};
    if (writev(server->socket, parts, 2) != (ssize_t)(sizeof size + words->size) ||
        recv(server->socket, &status, sizeof status, MSG_WAITALL) != sizeof status)
        fail("fork server");
    return status;
}

static int fork_words(const struct bytes* words) {
    for (int i = 0; i < FORK_SERVERS; ++i)
        if (!strcmp(words->data, fork_servers[i].name))
            return by_fork_server(&fork_servers[i], words);
    return run_words(words);
}

static void reply(FILE* control, int status, struct bytes out) {
    struct bytes written = take(STDOUT_FILENO);
    struct bytes errors = take(STDERR_FILENO);
    if (written.size) append(&out, written.data, written.size);
    fprintf(control, "%d %zu %zu\n", status, out.size, errors.size);
    fwrite(out.data, 1, out.size, control);
    fwrite(errors.data, 1, errors.size, control);
    if (fflush(control)) fail("reply");
    free(out.data);
    free(written.data);
    free(errors.data);
}

static void serve(FILE* requests, FILE* replies) {
    char operation;
    size_t size;
    while (fscanf(requests, " %c %zu", &operation, &size) == 2 && fgetc(requests) == '\n') {
        struct bytes payload = {calloc(1, size + 1), size};
        if (!payload.data || fread(payload.data, 1, size, requests) != size) fail("request");
        struct bytes out = {NULL, 0};
        int status = -1;
        switch (operation) {
            case 'n':
                status = enter_fresh_namespace(payload.data);
                break;
            case 'p':
                status = run_popen(payload.data, &out);
                break;
            case 's':
                status = system(payload.data);
                break;
            case 'x':
                status = run_words(&payload);
                break;
            case 'e':
                status = exec_words(&payload);
                break;
            case 'v':
                status = spawn_words(&payload, environ);
                break;
            case 'f':
                status = fork_words(&payload);
                break;
            default:
                errno = EINVAL;
                fail("operation");
        }
        reply(replies, status, out);
        free(payload.data);
    }
}

// The kernel's word that this process is confined: a server looks at its caller otherwise then.
static void confine(void) {
    struct sock_filter allow[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    const struct sock_fprog program = {1, allow};
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) fail("seccomp");
}

static void redirect(int fd, int target) {
    if (fd < 0 || dup2(fd, target) < 0) fail("redirect");
    if (fd != target) close(fd);
}

int main(int argc, char** argv) {
    if (argc != 2) return 99;
    int control = fcntl(atoi(argv[1]), F_DUPFD_CLOEXEC, 100);
    int second = fcntl(control, F_DUPFD_CLOEXEC, 100);
    close(atoi(argv[1]));
    FILE* requests = fdopen(control, "r");
    FILE* replies = fdopen(second, "w");
    if (!requests || !replies) fail("control");
    redirect(open("/dev/null", O_RDONLY), STDIN_FILENO);
    redirect(memfd_create("stdout", MFD_CLOEXEC), STDOUT_FILENO);
    redirect(memfd_create("stderr", MFD_CLOEXEC), STDERR_FILENO);
    if (getenv("CONFINED")) confine();
    serve(requests, replies);
    return 0;
}
