/* Reads the calling thread's rights for exec_rights.h. */
#define _GNU_SOURCE 1
#include <linux/capability.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim/rights/exec_rights.h"

static bool capabilities(struct exec_rights* rights) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {{0}};
    if (syscall(SYS_capget, &header, data) != 0) return false;
    rights->effective = data[0].effective | (uint64_t)data[1].effective << 32;
    rights->permitted = data[0].permitted | (uint64_t)data[1].permitted << 32;
    rights->inheritable = data[0].inheritable | (uint64_t)data[1].inheritable << 32;
    return true;
}

/* If the file user id isn't 0, the kernel removes root's capabilities for files from the effective
 * set. So that set tells whether the file ids are root's. */
static bool ids(struct exec_rights* rights, bool all) {
    uid_t* const user = &rights->user.real;
    gid_t* const group = &rights->group.real;
    if (getresuid(user, user + 1, user + 2) != 0 || getresgid(group, group + 1, group + 2) != 0)
        return false;
    rights->user.files = rights->user.effective;
    rights->group.files = rights->group.effective;
    if (!all && rights->user.real == 0) return true;
    /* With an invalid id these calls change nothing and return the present id. */
    rights->user.files = (uint32_t)setfsuid((uid_t)-1);
    rights->group.files = (uint32_t)setfsgid((gid_t)-1);
    return true;
}

/* Which capabilities of `asked` are in the bounding set. Ends at the last one that the kernel
 * knows. */
static uint64_t in_bounding(uint64_t asked) {
    uint64_t set = 0;
    int answer = 0;
    for (; asked && answer >= 0; asked &= asked - 1) {
        answer = prctl(PR_CAPBSET_READ, __builtin_ctzll(asked), 0, 0, 0);
        if (answer == 1) set |= asked & -asked;
    }
    return set;
}

static uint64_t in_ambient(uint64_t asked) {
    uint64_t set = 0;
    for (; asked; asked &= asked - 1)
        if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, __builtin_ctzll(asked), 0, 0) == 1)
            set |= asked & -asked;
    return set;
}

bool own_exec_rights(struct exec_rights* rights, uint64_t looked_at) {
    const int securebits = prctl(PR_GET_SECUREBITS, 0, 0, 0, 0);
    const int no_new_privs = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0);
    if (securebits < 0 || no_new_privs < 0 || !ids(rights, looked_at == EXEC_EVERY_CAPABILITY) ||
        !capabilities(rights))
        return false;
    rights->securebits = (uint32_t)securebits;
    rights->no_new_privs = no_new_privs == 1;
    /* The kernel keeps ambient capabilities within these two sets. */
    rights->ambient = in_ambient(rights->permitted & rights->inheritable);
    rights->bounding = in_bounding(looked_at) | (rights->effective & ~looked_at);
    return true;
}

const char* own_exec_change(const struct exec_file* file, enum exec_tool tool, uint64_t looked_at) {
    struct exec_rights rights;
    if (!own_exec_rights(&rights, looked_at)) return "its rights can't be read";
    return exec_rights_change(&rights, file, tool);
}
