/* A vfork's child changes its rights or namespaces before it execs ip. The server applies what it
 * knows of the parent, whose memory the child shares, so the child itself must notice the change.
 * The tests run the real ip, in a new namespace; OTHER_ROOT is a directory with the same files as
 * the root. */
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <linux/securebits.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "battery.h"

/* Raw system calls: libc's would change the parent's memory, too. */
enum { NOBODY = 65534 };
static int user_namespace, network_namespace, mount_namespace;

static long set_capabilities(uint32_t dropped) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
    if (syscall(SYS_capget, &header, data) != 0) return -1;
    data[0].effective &= ~dropped;
    return syscall(SYS_capset, &header, data);
}

static long nothing_at_all(void) {
    return 0;
}
static long effective_uid(void) {
    return syscall(SYS_setresuid, -1, NOBODY, -1);
}
static long all_uids(void) {
    return syscall(SYS_setresuid, NOBODY, NOBODY, NOBODY);
}
static long not_effective(void) {
    return set_capabilities(1u << CAP_NET_ADMIN);
}
static long module_not_effective(void) {
    return set_capabilities(1u << CAP_SYS_MODULE);
}
static long out_of_bounds(void) {
    return prctl(PR_CAPBSET_DROP, CAP_NET_ADMIN);
}
static long module_out_of_bounds(void) {
    return prctl(PR_CAPBSET_DROP, CAP_SYS_MODULE);
}
static long no_root(void) {
    return prctl(PR_SET_SECUREBITS, SECBIT_NOROOT);
}
static long no_new_privileges(void) {
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}
static long filtered(void) {
    struct sock_filter allow[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    const struct sock_fprog program = {1, allow};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
static long other_user(void) {
    return setns(user_namespace, CLONE_NEWUSER);
}
static long other_network(void) {
    return setns(network_namespace, CLONE_NEWNET);
}
static long other_mounts(void) {
    return setns(mount_namespace, CLONE_NEWNS);
}
static long mounts_of_its_own(void) {
    return unshare(CLONE_NEWNS) + mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) +
           mount("vforks", "/run", "tmpfs", 0, NULL);
}
static long another_root(void) {
    return chroot(getenv("OTHER_ROOT")) + chdir("/");
}

static const struct {
    const char* name;
    long (*change)(void);
} children[] = {{"nothing", nothing_at_all},
                {"effective uid", effective_uid},
                {"all uids", all_uids},
                {"CAP_NET_ADMIN not effective", not_effective},
                {"CAP_SYS_MODULE not effective", module_not_effective},
                {"CAP_NET_ADMIN out of the bounding set", out_of_bounds},
                {"CAP_SYS_MODULE out of the bounding set", module_out_of_bounds},
                {"SECBIT_NOROOT", no_root},
                {"no_new_privs", no_new_privileges},
                {"a filter", filtered},
                {"a user namespace", other_user},
                {"a network namespace", other_network},
                {"a mount namespace", other_mounts},
                {"mounts of its own", mounts_of_its_own},
                {"another root", another_root},
                {"nothing again", nothing_at_all}};

/* A descriptor of the namespace of a sleeping process that has made one. */
static int namespace_of(int flags, const char* name) {
    int ready[2];
    char path[64], byte;
    pipe(ready);
    const pid_t owner = fork();
    if (owner == 0) {
        unshare(flags);
        write(ready[1], "", 1);
        pause();
        _exit(0);
    }
    read(ready[0], &byte, 1);
    snprintf(path, sizeof path, "/proc/%d/ns/%s", (int)owner, name);
    const int found = open(path, O_RDONLY | O_CLOEXEC);
    kill(owner, SIGKILL);
    waitpid(owner, NULL, 0);
    close(ready[0]);
    close(ready[1]);
    return found;
}

static int status_of(long (*change)(void), char** words) {
    int status = 0;
    const pid_t child = vfork();
    if (child == 0) {
        if (change() != 0) _exit(98);
        execve("/sbin/ip", words, environ);
        _exit(99);
    }
    waitpid(child, &status, 0);
    return status;
}

BEHAVIOUR(real_vforks) {
    char* up[] = {"ip", "link", "set", "lo", "up", NULL};
    char* list[] = {"ip", "netns", "list", NULL};
    user_namespace = namespace_of(CLONE_NEWUSER, "user");
    network_namespace = namespace_of(CLONE_NEWNET, "net");
    mount_namespace = namespace_of(CLONE_NEWNS, "mnt");
    show("unshare", unshare(CLONE_NEWNET));
    for (size_t i = 0; i < sizeof children / sizeof *children; ++i) {
        show(children[i].name, status_of(children[i].change, up));
        show_status("is up", system("/sbin/ip link show lo | grep -q LOOPBACK,UP"));
        system("/sbin/ip link set lo down");
        show("netns list", status_of(children[i].change, list));
    }
}
