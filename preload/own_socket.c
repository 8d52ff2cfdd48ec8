#include "preload/own_socket.h"

#include <linux/netlink.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

static _Atomic bool wanted;

static bool is_filtered(void) {
    return prctl(PR_GET_SECCOMP) != 0;
}

bool own_socket_is_needed(void) {
    return atomic_load(&wanted) || is_filtered() || geteuid() != 0;
}

bool own_socket_is_wanted(const struct nlsh_reply* reply, bool passed) {
    if (passed || reply->type != NLSH_DECLINED || !(reply->flags & NLSH_PASS_SOCKET)) return false;
    atomic_store(&wanted, true);
    return true;
}

static unsigned number_at(const char** text) {
    unsigned number = 0;
    for (; **text >= '0' && **text <= '9'; ++*text)
        number = number * 10 + (unsigned)(**text - '0');
    return number;
}

/* Up to Linux 5.15 a filter that kills one process may kill those that share its memory. */
static bool kills_one_process_only(void) {
    struct utsname system;
    if (syscall(SYS_uname, &system) != 0) return false;
    const char* release = system.release;
    const unsigned major = number_at(&release);
    if (*release == '.') ++release;
    return major > 5 || (major == 5 && number_at(&release) >= 16);
}

/* The child's. Its descriptors are its own. */
static int make_one(void* unused) {
    (void)unused;
    const long made = syscall(SYS_socket, AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    syscall(SYS_exit, made < 0 ? 1 : 0);
    return 1;
}

/* With the parent's memory, so that it takes no time to make; without a signal at its end, so that
 * the program doesn't see it. The parent waits: the stack is used by one of them at a time. */
static bool child_makes_one(void) {
    enum { STACK = 8192 };
    _Alignas(16) char stack[STACK];
    sigset_t all, mask;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &mask);
    const pid_t child = clone(make_one, stack + STACK, CLONE_VM | CLONE_VFORK, NULL);
    int status = -1;
    const bool ended = child > 0 && waitpid(child, &status, __WALL) == child;
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    return ended && status == 0;
}

bool own_socket_may_be_made(void) {
    static _Thread_local __attribute__((tls_model("initial-exec"))) bool known;
    if (!known) known = !is_filtered() || (kills_one_process_only() && child_makes_one());
    return known;
}
