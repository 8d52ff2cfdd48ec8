/* shared_memory SOCKET PARENT CHILD fork|vfork <FRAME: past the preload, a child sends the server
 * the frame that stands on standard input, after it or its parent has changed itself (by the names
 * below). Prints the type of the reply, -1 when there is none. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static long nothing(void) {
    return 0;
}
static long bounded(void) {
    return prctl(PR_CAPBSET_DROP, CAP_NET_ADMIN);
}
static long filtered(void) {
    struct sock_filter allow[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    const struct sock_fprog program = {1, allow};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
static long nobody(void) {
    return syscall(SYS_setresuid, 65534, 65534, 65534);
}
static long ineffective(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
    if (syscall(SYS_capget, &header, data) != 0) return -1;
    data[0].effective = data[1].effective = 0;
    return syscall(SYS_capset, &header, data);
}
static long elsewhere(void) {
    if (unshare(CLONE_NEWNS) != 0) return -1;
    if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) return -1;
    return mount("none", "/mnt", "tmpfs", 0, NULL);
}

static const struct {
    const char* name;
    long (*change)(void);
} changes[] = {{"nothing", nothing}, {"bounded", bounded},         {"filtered", filtered},
               {"nobody", nobody},   {"ineffective", ineffective}, {"elsewhere", elsewhere}};

static long change(const char* name) {
    for (size_t i = 0; i < sizeof changes / sizeof *changes; ++i)
        if (strcmp(changes[i].name, name) == 0) return changes[i].change();
    return -1;
}

static char frame[4096], reply[8192];
static ssize_t size;

static void ask(const char* socket_name, const char* own_change) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int type = -1;
    if (change(own_change) != 0) _exit(2);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", socket_name);
    const int peer = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (connect(peer, (void*)&address, sizeof address) != 0) _exit(3);
    send(peer, frame, (size_t)size, MSG_NOSIGNAL);
    ssize_t got = recv(peer, reply, sizeof reply, 0);
    /* If the server answered without reading, ECONNRESET comes first, then the answer. */
    if (got < 0 && errno == ECONNRESET) got = recv(peer, reply, sizeof reply, 0);
    if (got > 7) type = reply[6];
    dprintf(1, "%d\n", type);
    _exit(0);
}

int main(int argc, char** argv) {
    int status = 0;
    if (argc != 5) return 2;
    size = read(0, frame, sizeof frame);
    if (change(argv[2]) != 0) return 2;
    const pid_t child = strcmp(argv[4], "vfork") == 0 ? vfork() : fork();
    if (child == 0) ask(argv[1], argv[3]);
    waitpid(child, &status, 0);
    return WEXITSTATUS(status);
}
