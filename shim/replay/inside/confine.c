// No rights, no new ones, no calls that would reach the machine.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim/replay/inside/calls.h"

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined(__arm__)
#define OWN_ARCHITECTURE AUDIT_ARCH_ARM
#endif

enum { NOBODY = 65534, PROGRAM_MAX = 128 };

static const int refused[] = {
    SYS_socket,
    SYS_connect,
    SYS_bind,
    SYS_execve,
    SYS_execveat,
    SYS_setns,
    SYS_unshare,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_ptrace,
    SYS_bpf,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_unlinkat,
    SYS_renameat2,
    SYS_mkdirat,
    SYS_linkat,
    SYS_symlinkat,
    SYS_mknodat,
    SYS_fchmodat,
    SYS_fchownat,
    SYS_truncate,
    SYS_kill,
    SYS_tkill,
    SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo,
    SYS_pidfd_send_signal,
    SYS_keyctl,
    SYS_add_key,
    SYS_io_uring_setup,
    SYS_openat2,
    SYS_process_vm_writev,
    SYS_userfaultfd,
    SYS_perf_event_open,
    SYS_clone3,
#ifdef SYS_open
    SYS_unlink,
    SYS_rmdir,
    SYS_rename,
    SYS_mkdir,
    SYS_link,
    SYS_symlink,
    SYS_mknod,
    SYS_chmod,
    SYS_chown,
    SYS_creat,
    SYS_vfork,
#endif
};

struct program {
    struct sock_filter rows[PROGRAM_MAX];
    unsigned short size;
};

static void add(struct program* to, struct sock_filter row) {
    if (to->size < PROGRAM_MAX) to->rows[to->size++] = row;
}

static void load(struct program* to, size_t offset) {
    add(to, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offset));
}

static void refuse(struct program* to) {
    add(to, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
}

// Refuses the call if one of these bits is set in that argument of it.
static void refuse_bits(struct program* to, int call, size_t argument, unsigned bits) {
    load(to, offsetof(struct seccomp_data, nr));
    add(to, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call, 0, 3));
    load(to, offsetof(struct seccomp_data, args) + argument * sizeof(__u64));
    add(to, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1));
    refuse(to);
}

static void refuse_call(struct program* to, int call) {
    add(to, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call, 0, 1));
    refuse(to);
}

// Of calls by another architecture's numbers nothing is known.
static void begin(struct program* program) {
    program->size = 0;
    load(program, offsetof(struct seccomp_data, arch));
    add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0));
    add(program, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
}

static int install(struct program* program) {
    add(program, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    if (program->size == PROGRAM_MAX) return -1;
    const struct sock_fprog loaded = {.len = program->size, .filter = program->rows};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &loaded);
}

static int filter_calls(void) {
    static struct program program;
    begin(&program);
    const unsigned writes = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
    const unsigned namespaces = CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWNS | CLONE_NEWPID |
                                CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWCGROUP;
    refuse_bits(&program, SYS_openat, 2, writes);
#ifdef SYS_open
    refuse_bits(&program, SYS_open, 1, writes);
#endif
    refuse_bits(&program, SYS_clone, 0, namespaces);
    load(&program, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__  // the same calls by x32's numbers
    enum { X32 = 0x40000000 };
    add(&program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32, 0, 1));
    refuse(&program);
#endif
    for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i)
        refuse_call(&program, refused[i]);
    return install(&program);
}

int confine_process(void) {
    static struct program program;
    begin(&program);
    load(&program, offsetof(struct seccomp_data, nr));
    refuse_call(&program, SYS_clone);
#ifdef SYS_fork
    refuse_call(&program, SYS_fork);
#endif
    return install(&program);
}

// Root becomes nobody. If the kernel refuses (a container without CAP_SETUID, a user namespace that
// maps one user, the sandbox of nlsh.service), the process stays root without a capability; the
// filter then keeps it from root's files and processes.
static int become_nobody(void) {
    if (getuid() != 0 && geteuid() != 0) return 0;
    if (setgroups(0, NULL) != 0 && errno != EPERM) return -1;
    if (setresgid(NOBODY, NOBODY, NOBODY) == 0 && setresuid(NOBODY, NOBODY, NOBODY) == 0) return 0;
    return errno == EPERM || errno == EINVAL ? 0 : -1;
}

static int drop_capabilities(void) {
    for (int each = 0; prctl(PR_CAPBSET_READ, each) >= 0; ++each)
        prctl(PR_CAPBSET_DROP, each);
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};
    return (int)syscall(SYS_capset, &header, none);
}

int confine(void) {
    if (become_nobody() != 0 || drop_capabilities() != 0) return -1;
    const struct rlimit none = {0, 0};
    if (setrlimit(RLIMIT_CORE, &none) != 0) return -1;
    if (prctl(PR_SET_DUMPABLE, 0) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    return filter_calls();
}
