/* Decides whether a tool that a thread execs would have the thread's present rights.
 *
 * Native work has the thread's (or an equal server's) present rights; the real tool has the rights
 * that are left after the exec and after its own changes. Both must be equal. capabilities(7) has
 * the kernel's formula. */
#ifndef NLSH_EXEC_RIGHTS_H
#define NLSH_EXEC_RIGHTS_H

#include <linux/capability.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct exec_ids {
    uint32_t real, effective, saved, files;
};

struct exec_rights {
    struct exec_ids user, group;
    uint64_t effective, permitted, inheritable, ambient, bounding; /* capabilities */
    uint32_t securebits;
    bool no_new_privs;
};

/* The rights that a tool's file adds. Zeros: none, as nearly always. */
struct exec_file {
    uint32_t user, group; /* the owner, if the bit below is set */
    bool setuid, setgid;
    bool has_capabilities; /* security.capability, of which: */
    bool makes_effective;
    uint64_t permitted, inheritable;
};

enum exec_tool {
    EXEC_PLAIN, /* changes none of its rights: bridge, a shell */
    EXEC_IP,    /* drops its capabilities when it isn't root and CAP_NET_ADMIN isn't inheritable */
};

/* NULL: the rights are the same. Otherwise the reason, for a trace. file: NULL for a plain one. A
 * shell in between changes nothing, because differing ids are a reason already. */
const char* exec_rights_change(const struct exec_rights* rights, const struct exec_file* file,
                               enum exec_tool tool);

/* The calling thread's rights. Looks up only the capabilities in `looked_at` in the bounding set,
 * one by one, and assumes that the exec leaves the others unchanged. False: the kernel doesn't
 * tell. */
bool own_exec_rights(struct exec_rights* rights, uint64_t looked_at);
#define EXEC_EVERY_CAPABILITY UINT64_MAX
/* The capabilities that decide what a line may do to the network, to /proc/sys and to files. */
#define EXEC_LINE_CAPABILITIES                                                \
    (1ULL << CAP_NET_ADMIN | 1ULL << CAP_SYS_ADMIN | 1ULL << CAP_SYS_MODULE | \
     1ULL << CAP_DAC_OVERRIDE | 1ULL << CAP_DAC_READ_SEARCH)

/* own_exec_rights() and exec_rights_change() together. NULL, or the reason. */
const char* own_exec_change(const struct exec_file* file, enum exec_tool tool, uint64_t looked_at);

/* Another thread's rights, from the text of its /proc/PID/status. The text lacks the securebits:
 * assumes none. False: the text can't be parsed. */
bool exec_rights_of_status(const char* status, struct exec_rights* rights);

/* Reads the file at `path`. False: an error. Changes errno. */
bool exec_file_of(const char* path, struct exec_file* file);

#ifdef __cplusplus
}
#endif
#endif
