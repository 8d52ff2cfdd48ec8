#include "shim/rights/exec_rights.h"

#include <linux/securebits.h>
#include <stddef.h>

/* The rights after an exec. */
struct after {
    uint32_t user, group; /* effective; the kernel copies these into the saved and file ones */
    uint64_t effective;
    bool fails;
};

/* "an exec would gain CAP_X", …: a text for each capability. Arrays, not pointers, to avoid
 * relocations. */
/* clang-format off */
#define CAPABILITIES(ROW)                                                                   \
    ROW(CHOWN) ROW(DAC_OVERRIDE) ROW(DAC_READ_SEARCH) ROW(FOWNER) ROW(FSETID) ROW(KILL)      \
    ROW(SETGID) ROW(SETUID) ROW(SETPCAP) ROW(LINUX_IMMUTABLE) ROW(NET_BIND_SERVICE)          \
    ROW(NET_BROADCAST) ROW(NET_ADMIN) ROW(NET_RAW) ROW(IPC_LOCK) ROW(IPC_OWNER)              \
    ROW(SYS_MODULE) ROW(SYS_RAWIO) ROW(SYS_CHROOT) ROW(SYS_PTRACE) ROW(SYS_PACCT)            \
    ROW(SYS_ADMIN) ROW(SYS_BOOT) ROW(SYS_NICE) ROW(SYS_RESOURCE) ROW(SYS_TIME)               \
    ROW(SYS_TTY_CONFIG) ROW(MKNOD) ROW(LEASE) ROW(AUDIT_WRITE) ROW(AUDIT_CONTROL)            \
    ROW(SETFCAP) ROW(MAC_OVERRIDE) ROW(MAC_ADMIN) ROW(SYSLOG) ROW(WAKE_ALARM)                \
    ROW(BLOCK_SUSPEND) ROW(AUDIT_READ) ROW(PERFMON) ROW(BPF) ROW(CHECKPOINT_RESTORE)
/* clang-format on */
enum { TEXT_MAX = 48, TEXTS = 41 };
#define GAINS(name) "an exec would gain CAP_" #name,
#define LOSES(name) "an exec would lose CAP_" #name,
#define DROPS(name) "ip drops CAP_" #name,
static const char gains[TEXTS][TEXT_MAX] = {CAPABILITIES(GAINS)};
static const char loses[TEXTS][TEXT_MAX] = {CAPABILITIES(LOSES)};
static const char drops[TEXTS][TEXT_MAX] = {CAPABILITIES(DROPS)};

/* The text of the lowest capability in a set that isn't empty. */
static const char* text_of(const char texts[TEXTS][TEXT_MAX], uint64_t set) {
    const int number = __builtin_ctzll(set);
    return number < TEXTS ? texts[number] : "an exec would change an unknown capability";
}

static bool uniform(const struct exec_ids* ids) {
    return ids->effective == ids->real && ids->saved == ids->real && ids->files == ids->real;
}

/* Whether the exec gets full capabilities as root's, unless securebits waive that. */
static bool is_roots(const struct exec_rights* rights, const struct exec_file* file,
                     const struct after* after) {
    if (rights->securebits & SECBIT_NOROOT) return false;
    if (file->has_capabilities && rights->user.real != 0) return false;
    return rights->user.real == 0 || after->user == 0;
}

/* The rights after an exec, if all user ids are equal and all group ids are. */
static struct after exec(const struct exec_rights* rights, const struct exec_file* file) {
    struct after after = {.user = rights->user.real, .group = rights->group.real};
    const bool lends = !rights->no_new_privs;
    if (file->setuid && lends) after.user = file->user;
    if (file->setgid && lends) after.group = file->group;
    uint64_t permitted = 0;
    bool effective = false;
    if (file->has_capabilities) {
        permitted =
            (rights->bounding & file->permitted) | (rights->inheritable & file->inheritable);
        effective = file->makes_effective;
        after.fails = effective && (file->permitted & ~permitted);
    }
    if (is_roots(rights, file, &after)) {
        permitted = rights->bounding | rights->inheritable;
        effective = effective || after.user == 0;
    }
    if (rights->no_new_privs) permitted &= rights->permitted;
    const bool changes = after.user != rights->user.real || after.group != rights->group.real;
    const uint64_t ambient = changes || file->has_capabilities ? 0 : rights->ambient;
    after.effective = (effective ? permitted : 0) | ambient;
    return after;
}

const char* exec_rights_change(const struct exec_rights* rights, const struct exec_file* file,
                               enum exec_tool tool) {
    static const struct exec_file plain;
    /* A shell resets differing ids, and kernels treat them differently. */
    if (!uniform(&rights->user)) return "different uids";
    if (!uniform(&rights->group)) return "different gids";
    const struct after after = exec(rights, file ? file : &plain);
    if (after.fails) return "the tool's exec would fail";
    if (after.user != rights->user.real) return "the tool is setuid";
    if (after.group != rights->group.real) return "the tool is setgid";
    const uint64_t gained = after.effective & ~rights->effective;
    const uint64_t lost = rights->effective & ~after.effective;
    if (gained) return text_of(gains, gained);
    if (lost) return text_of(loses, lost);
    const bool stays = tool != EXEC_IP || after.user == 0 ||
                       (rights->inheritable & (1ULL << CAP_NET_ADMIN)) || !after.effective;
    return stays ? NULL : text_of(drops, after.effective);
}
