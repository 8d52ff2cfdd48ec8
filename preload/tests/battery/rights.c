/* Callers whose exec would gain or lose rights, in each possible way. They run the real ip, in a
 * new namespace. */
#include <linux/capability.h>
#include <linux/securebits.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "battery.h"

enum { NOBODY = 65534, NET_ADMIN = 1 << CAP_NET_ADMIN };

enum { DROP_ALL, DROP_NET_ADMIN, INHERIT_NET_ADMIN, ONLY_NET_ADMIN };

/* Changes only capabilities that the process has: root may lack some on this machine. */
static long change_capabilities(int how) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
    if (syscall(SYS_capget, &header, data) != 0) return -1;
    if (how == DROP_ALL) data[0].effective = data[1].effective = 0;
    if (how == DROP_NET_ADMIN) data[0].effective &= ~(uint32_t)NET_ADMIN;
    if (how == INHERIT_NET_ADMIN) data[0].inheritable |= NET_ADMIN;
    if (how == ONLY_NET_ADMIN) {
        memset(data, 0, sizeof data);
        data[0].effective = data[0].permitted = NET_ADMIN;
    }
    return syscall(SYS_capset, &header, data);
}

static long as_nobody(void) {
    prctl(PR_SET_KEEPCAPS, 1);
    if (setresuid(NOBODY, NOBODY, NOBODY) != 0) return -1;
    return change_capabilities(ONLY_NET_ADMIN);
}

static long root(void) {
    return 0;
}

static long effective_dropped(void) {
    return change_capabilities(DROP_ALL);
}

static long only_net_admin_dropped(void) {
    return change_capabilities(DROP_NET_ADMIN);
}

static long bounding_set(void) {
    return prctl(PR_CAPBSET_DROP, CAP_NET_ADMIN);
}

static long bounding_set_inheritable(void) {
    return change_capabilities(INHERIT_NET_ADMIN) + prctl(PR_CAPBSET_DROP, CAP_NET_ADMIN);
}

static long nobody(void) {
    return setresuid(NOBODY, NOBODY, NOBODY);
}

static long nobody_effective(void) {
    return as_nobody();
}

static long nobody_ambient(void) {
    return as_nobody() + change_capabilities(INHERIT_NET_ADMIN) +
           prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_NET_ADMIN, 0, 0);
}

static long effective_nobody(void) {
    return seteuid(NOBODY);
}

static long real_nobody(void) {
    return setresuid(NOBODY, 0, 0);
}

static long saved_nobody(void) {
    return setresuid(0, 0, NOBODY);
}

static long no_root(void) {
    return prctl(PR_SET_SECUREBITS, SECBIT_NOROOT);
}

static long no_new_privileges(void) {
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

static long only_net_admin(void) {
    return change_capabilities(ONLY_NET_ADMIN);
}

static const struct {
    const char* name;
    long (*become)(void);
} callers[] = {{"root", root},
               {"effective capabilities dropped", effective_dropped},
               {"CAP_NET_ADMIN not effective", only_net_admin_dropped},
               {"CAP_NET_ADMIN out of the bounding set", bounding_set},
               {"out of the bounding set, but inheritable", bounding_set_inheritable},
               {"nobody", nobody},
               {"nobody, CAP_NET_ADMIN effective", nobody_effective},
               {"nobody, CAP_NET_ADMIN ambient", nobody_ambient},
               {"effective uid nobody", effective_nobody},
               {"real uid nobody", real_nobody},
               {"saved uid nobody", saved_nobody},
               {"SECBIT_NOROOT", no_root},
               {"no_new_privs", no_new_privileges},
               {"only CAP_NET_ADMIN", only_net_admin}};

BEHAVIOUR(real_rights) {
    show("unshare", unshare(CLONE_NEWNET));
    for (size_t i = 0; i < sizeof callers / sizeof *callers; ++i) {
        if (fork() == 0) {
            show(callers[i].name, callers[i].become());
            show_status("add", system("ip link add rights0 type bridge"));
            show_status("popen", pclose(popen("ip link set lo up", "r")));
            _exit(0);
        }
        wait(NULL);
        show_status("was there", system("/sbin/ip link del rights0 2>/dev/null"));
        system("/sbin/ip link set lo down");
    }
}
