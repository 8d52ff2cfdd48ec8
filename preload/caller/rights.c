#include "preload/caller/rights.h"

#include <errno.h>
#include <stddef.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "preload/caller/thread.h"
#include "preload/libc/text.h"
#include "shim/rights/exec_probe.h"
#include "shim/rights/exec_rights.h"

/* Limits that may keep a thread from an exec. */
struct limits {
    bool filtered, no_new_privs;
};

/* The usual places of ip and bridge. The probe doesn't know other PATHs. */
static const char tools[][4][20] = {
    {"/usr/sbin/ip", "/sbin/ip", "/usr/bin/ip", "/bin/ip"},
    {"/usr/sbin/bridge", "/sbin/bridge", "/usr/bin/bridge", "/bin/bridge"}};

/* Probes the first file that exists. The shell's probe has shown that the filter allows an exec,
 * and a filter doesn't see paths, so this needs no further process. */
static const char* probe_tool(const char files[4][20], struct limits limits) {
    for (int i = 0; i < 4; ++i)
        if (access(files[i], F_OK) == 0) return exec_probe(files[i], false, limits.no_new_privs);
    return NULL;
}

static const char* probe_tools(struct limits limits) {
    const char* reason = NULL;
    for (size_t i = 0; i < sizeof tools / sizeof *tools && !reason; ++i)
        reason = probe_tool(tools[i], limits);
    return reason;
}

static const char* probe(const char* file, bool shell, struct limits limits) {
    const char* reason = exec_probe(file, limits.filtered, limits.no_new_privs);
    if (!reason && shell) reason = probe_tools(limits);
    if (!reason && limits.no_new_privs && files_are_confined()) reason = "confined";
    return reason;
}

/* For a thread's calls: NULL, or the result of the first probe under these limits. */
static const char* probe_call(struct limits limits) {
    static const char allowed[] = "";
    THREAD_OWN const char* found[2][2];
    const char** const known = &found[limits.filtered][limits.no_new_privs];
    if (!*known) *known = probe("/bin/sh", true, limits);
    if (!*known) *known = allowed;
    return *known == allowed ? NULL : *known;
}

/* Landlock forbids every mount. This mount lacks its source, so it is never made. */
static bool may_not_mount(const struct exec_rights* rights) {
    return (rights->effective & 1ULL << CAP_SYS_ADMIN) &&
           mount(NULL, "/", NULL, MS_BIND, NULL) != 0 && errno == EPERM;
}

static const char* refusal(const char* file, bool shell, enum exec_tool tool) {
    struct limits limits = {.filtered = prctl(PR_GET_SECCOMP) != 0};
    const char* reason = NULL;
    if (limits.filtered) {
        limits.no_new_privs = prctl(PR_GET_NO_NEW_PRIVS) == 1;
        reason = file ? probe(file, shell, limits) : probe_call(limits);
    }
    struct exec_rights rights;
    if (!reason && !own_exec_rights(&rights, EXEC_LINE_CAPABILITIES)) reason = "unknown rights";
    if (!reason) reason = exec_rights_change(&rights, NULL, tool);
    if (reason || !rights.no_new_privs || limits.filtered) return reason;
    limits.no_new_privs = true;
    reason = file ? probe(file, shell, limits) : probe_call(limits);
    return !reason && may_not_mount(&rights) ? "confined" : reason;
}

const char* call_rights_refusal(void) {
    return refusal(NULL, true, EXEC_IP);
}

const char* exec_rights_refusal(const char* file, bool shell) {
    const bool bridge = text_equal(text_base(file), "bridge");
    return refusal(file, shell, bridge ? EXEC_PLAIN : EXEC_IP);
}

static bool line_capabilities(int thread, uint64_t* set) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3,
                                              .pid = thread};
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {{0}};
    if (syscall(SYS_capget, &header, data) != 0) return false;
    *set = data[0].effective & EXEC_LINE_CAPABILITIES;
    return true;
}

bool has_rights_of_main_thread(void) {
    uint64_t own, of_main;
    return thread_is_main() ||
           (line_capabilities(0, &own) && line_capabilities(getpid(), &of_main) && own == of_main);
}
