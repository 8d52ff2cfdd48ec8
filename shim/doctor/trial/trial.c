/* nlsh-trial: makes one harmless call as a daemon would, for `nlsh doctor`, which reads the trace.
 *
 *   nlsh-trial system|popen|exec [RIGHTS]
 *
 * RIGHTS are the rights of the process that this program stands in for (shim/doctor/process.h). The
 * program changes its rights after its own exec, because a daemon may have dropped rights after its
 * exec. Only C and libc, so that the preload can reach it in containers with an older libc than the
 * host's. */
#include <grp.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { GROUPS_MAX = 65536, IDS = 6, SETS = 5 };
enum { TRACE = 3, CANNOT_ENTER = 125 }; /* as shim/doctor/trial.cpp has them */
enum { INHERITABLE, PERMITTED, EFFECTIVE, BOUNDING, AMBIENT };

struct rights {
    unsigned ids[IDS]; /* uids, then gids: real, effective, saved */
    uint64_t sets[SETS];
    unsigned no_new_privs, filtered;
    size_t group_count;
    gid_t groups[GROUPS_MAX];
};

/* Numbers with blanks between them, in the order above; groups come last. */
static int read_rights(const char* text, struct rights* rights) {
    char* end;
    for (int i = 0; i < IDS; ++i, text = end)
        rights->ids[i] = (unsigned)strtoul(text, &end, 10);
    for (int i = 0; i < SETS; ++i, text = end)
        rights->sets[i] = strtoull(text, &end, 16);
    rights->no_new_privs = (unsigned)strtoul(text, &end, 10);
    rights->filtered = (unsigned)strtoul(end, &end, 10);
    for (rights->group_count = 0; rights->group_count < GROUPS_MAX; ++rights->group_count) {
        text = end;
        const unsigned long group = strtoul(text, &end, 10);
        if (end == text) return 1;
        rights->groups[rights->group_count] = (gid_t)group;
    }
    return 0;
}

static int narrow_bounding(uint64_t kept) {
    for (int number = 0; prctl(PR_CAPBSET_READ, number, 0, 0, 0) >= 0; ++number)
        if (!(kept >> number & 1) && prctl(PR_CAPBSET_READ, number, 0, 0, 0) == 1 &&
            prctl(PR_CAPBSET_DROP, number, 0, 0, 0) != 0)
            return 0;
    return 1;
}

static int set_capabilities(const uint64_t* sets) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
    for (int word = 0; word < _LINUX_CAPABILITY_U32S_3; ++word) {
        data[word].inheritable = (uint32_t)(sets[INHERITABLE] >> (32 * word));
        data[word].permitted = (uint32_t)(sets[PERMITTED] >> (32 * word));
        data[word].effective = (uint32_t)(sets[EFFECTIVE] >> (32 * word));
    }
    if (syscall(SYS_capset, &header, data) != 0) return 0;
    for (int number = 0; number < 64; ++number)
        if (sets[AMBIENT] >> number & 1 &&
            prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, number, 0, 0) != 0)
            return 0;
    return 1;
}

/* Stands in for the process's system call filter, which can't be copied: nlsh checks whether there
 * is a filter. */
static int take_filter(void) {
    struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    const struct sock_fprog program = {1, &allow};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

/* A user namespace may forbid setting groups; then the process must have the right ones already. */
static int set_groups(const struct rights* rights) {
    static gid_t own[GROUPS_MAX];
    if (setgroups(rights->group_count, rights->groups) == 0) return 1;
    const int count = getgroups(GROUPS_MAX, own);
    return count >= 0 && (size_t)count == rights->group_count &&
           memcmp(own, rights->groups, rights->group_count * sizeof *own) == 0;
}

/* NULL, or the step that failed. */
static const char* take_rights(const char* text) {
    static struct rights rights;
    const unsigned* ids = rights.ids;
    if (!read_rights(text, &rights)) return "rights";
    if (!set_groups(&rights)) return "setgroups";
    if (rights.filtered && !take_filter()) return "seccomp";
    if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) != 0) return "keepcaps";
    if (!narrow_bounding(rights.sets[BOUNDING])) return "bounding set";
    if (setresgid(ids[3], ids[4], ids[5]) != 0) return "setresgid";
    if (setresuid(ids[0], ids[1], ids[2]) != 0) return "setresuid";
    if (!set_capabilities(rights.sets)) return "capset";
    prctl(PR_SET_KEEPCAPS, 0, 0, 0, 0);
    if (rights.no_new_privs && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return "no_new_privs";
    /* An exec by that user would set this; otherwise /proc/self belongs to root. */
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    return NULL;
}

static int make_call(const char* function) {
    static const char line[] = "ip link show lo";
    if (strcmp(function, "system") == 0) return system(line) == -1;
    if (strcmp(function, "exec") == 0) return execlp("ip", "ip", "link", "show", "lo", (char*)NULL);
    char part[4096];
    FILE* const file = popen(line, "r");
    while (file && fgets(part, sizeof part, file)) {
    }
    return !file || pclose(file) == -1;
}

int main(int argc, char** argv) {
    if (argc < 2 || argc > 3) return 2;
    const char* const failed = argc == 3 ? take_rights(argv[2]) : NULL;
    if (!failed) return make_call(argv[1]);
    dprintf(TRACE, "its rights can't be taken: %s: %m\n", failed);
    return CANNOT_ENTER;
}
