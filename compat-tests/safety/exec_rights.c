/* Random callers, and what becomes of their rights in real execs: exec_rights COUNT SEED DIRECTORY.
 * Each is set up in a child, which computes the rule (shim/rights) and then execs: this program, as
 * a file that may have setuid and setgid bits and capabilities; the same by dash and by bash; ip;
 * or bridge. Prints counts; status 1: the rule was wrong. Needs root. */
#define _GNU_SOURCE 1
#include "shim/rights/exec_rights.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/securebits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { TO_PARENT = 9, FILES = 48, CAPABILITIES = 41 };
enum way { DIRECT, BY_DASH, BY_BASH, IP, BRIDGE, WAYS };
static const char* const way_names[WAYS] = {"exec", "dash", "bash", "ip", "bridge"};

struct before {
    struct exec_rights rights;
    bool reads_as_status;
    char verdict[64], verdict_of_line[64]; /* empty: the same rights */
};

static uint64_t state;

static uint64_t random_bits(void) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state;
}

static unsigned below(unsigned limit) {
    return (unsigned)(random_bits() >> 33) % limit;
}

static uint64_t every(void) {
    return (1ULL << CAPABILITIES) - 1;
}

/* Often all or none, else some; NET_ADMIN with its own chance. */
static uint64_t some_of(uint64_t set) {
    const unsigned kind = below(6);
    if (kind < 2) return set;
    if (kind == 2) return 0;
    if (kind == 3) return set & (1ULL << CAP_NET_ADMIN | 1ULL << below(CAPABILITIES));
    return set & random_bits() & (kind == 4 ? random_bits() : every());
}

static void set_capabilities(uint64_t effective, uint64_t permitted, uint64_t inheritable) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    const struct __user_cap_data_struct data[] = {
        {(uint32_t)effective, (uint32_t)permitted, (uint32_t)inheritable},
        {(uint32_t)(effective >> 32), (uint32_t)(permitted >> 32), (uint32_t)(inheritable >> 32)}};
    syscall(SYS_capset, &header, data);
}

static uint32_t some_id(void) {
    static const uint32_t ids[] = {0, 0, 1000, 1001};
    return ids[below(4)];
}

static void set_ids(void) {
    const uint32_t user = below(2) ? 0 : some_id(), group = some_id();
    const bool uniform = below(4) != 0;
    if (setresgid(group, uniform ? group : some_id(), uniform ? group : some_id()) != 0) _exit(99);
    if (!uniform && below(4) == 0) setfsgid(some_id());
    if (setresuid(user, uniform ? user : some_id(), uniform ? user : some_id()) != 0) _exit(99);
    if (below(12) == 0) setfsuid(some_id());
}

static unsigned long some_securebits(void) {
    static const unsigned long bits[] = {SECBIT_NOROOT, SECBIT_NO_SETUID_FIXUP,
                                         SECBIT_NOROOT | SECBIT_NO_SETUID_FIXUP,
                                         SECBIT_NO_CAP_AMBIENT_RAISE};
    return below(5) ? 0 : bits[below(4)];
}

/* The caller. What can't be had (a capability that the machine's root lacks) is left out. */
static void become_random(void) {
    struct exec_rights own;
    own_exec_rights(&own, EXEC_EVERY_CAPABILITY);
    const uint64_t bounding = some_of(own.bounding), inheritable = some_of(own.permitted);
    set_capabilities(own.effective, own.permitted, inheritable);
    for (int number = 0; number < CAPABILITIES; ++number)
        if (!(bounding >> number & 1)) prctl(PR_CAPBSET_DROP, number, 0, 0, 0);
    prctl(PR_SET_SECUREBITS, some_securebits() | SECBIT_KEEP_CAPS, 0, 0, 0);
    set_ids();
    const uint64_t permitted =
        below(2) ? some_of(bounding & own.permitted) : some_of(own.permitted);
    set_capabilities(own.permitted, own.permitted, inheritable);
    const uint64_t ambient = below(3) ? permitted & inheritable : some_of(permitted & inheritable);
    set_capabilities(permitted, permitted, inheritable);
    for (int number = 0; number < CAPABILITIES; ++number)
        if (ambient >> number & 1) prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, number, 0, 0);
    const unsigned kind = below(3);
    set_capabilities(kind == 0   ? permitted
                     : kind == 1 ? ambient
                                 : some_of(permitted),
                     permitted, inheritable);
    if (below(4) == 0) prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

static bool reads_as_status(const struct exec_rights* own) {
    char text[8192];
    const int file = open("/proc/thread-self/status", O_RDONLY);
    const ssize_t size = read(file, text, sizeof text - 1);
    close(file);
    text[size > 0 ? size : 0] = 0;
    struct exec_rights read_rights;
    if (!exec_rights_of_status(text, &read_rights)) return false;
    read_rights.securebits = own->securebits;
    return memcmp(&read_rights.user, &own->user, 2 * sizeof own->user) == 0 &&
           read_rights.effective == own->effective && read_rights.permitted == own->permitted &&
           read_rights.inheritable == own->inheritable && read_rights.ambient == own->ambient &&
           read_rights.bounding == own->bounding && read_rights.no_new_privs == own->no_new_privs;
}

static struct before judge(const char* path, enum exec_tool tool) {
    struct before before;
    memset(&before, 0, sizeof before);
    struct exec_file file;
    struct exec_rights line;
    if (!own_exec_rights(&before.rights, EXEC_EVERY_CAPABILITY) ||
        !own_exec_rights(&line, EXEC_LINE_CAPABILITIES) || !exec_file_of(path, &file))
        _exit(98);
    before.reads_as_status = reads_as_status(&before.rights);
    const char* text = exec_rights_change(&before.rights, &file, tool);
    if (text) strcpy(before.verdict, text);
    text = exec_rights_change(&line, &file, tool);
    if (text) strcpy(before.verdict_of_line, text);
    return before;
}

static _Noreturn void caller(enum way way, const char* path, uint64_t seed) {
    state = seed;
    become_random();
    const char* const file = way == IP ? "/sbin/ip" : way == BRIDGE ? "/sbin/bridge" : path;
    const struct before before = judge(file, way == IP ? EXEC_IP : EXEC_PLAIN);
    if (write(TO_PARENT, &before, sizeof before) != sizeof before) _exit(97);
    char command[300];
    snprintf(command, sizeof command, "exec %s show", path);
    if (way == DIRECT) execl(path, path, "show", NULL);
    if (way == BY_DASH) execl("/bin/dash", "sh", "-c", command, NULL);
    if (way == BY_BASH) execl("/bin/bash", "sh", "-c", command, NULL);
    if (way == IP) execl(file, "ip", "-batch", "-", NULL);
    if (way == BRIDGE) execl(file, "bridge", "-batch", "-", NULL);
    _exit(96);
}

static void read_of(pid_t child, const char* name, char* text, size_t size) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", child, name);
    const int file = open(path, O_RDONLY);
    const ssize_t got = file >= 0 ? read(file, text, size - 1) : -1;
    if (file >= 0) close(file);
    text[got > 0 ? got : 0] = 0;
}

/* User-Mode Linux doesn't tell the system call: what sleeps for so many looks waits for its batch.
 */
static bool sleeps_as(pid_t child, const char* tool) {
    enum { LOOKS = 20 };
    char text[512], start[32];
    for (int look = 0; look < LOOKS; ++look) {
        read_of(child, "stat", text, sizeof text);
        snprintf(start, sizeof start, "%d (%s) S ", child, tool);
        if (strncmp(text, start, strlen(start)) != 0) return false;
        usleep(500);
    }
    return true;
}

static bool reads(pid_t child, const char* tool) {
    char text[512], reading[32];
    if (access("/proc/self/syscall", F_OK) != 0) return sleeps_as(child, tool);
    read_of(child, "syscall", text, sizeof text);
    snprintf(reading, sizeof reading, "%d 0x0 ", SYS_read);
    return strncmp(text, reading, strlen(reading)) == 0;
}

/* ip and bridge read their batch once they have done all else to themselves. */
static bool status_of_reader(pid_t child, const char* tool, struct exec_rights* after) {
    char text[8192];
    for (int turn = 0; turn < 20000; ++turn) {
        if (reads(child, tool)) {
            read_of(child, "status", text, sizeof text);
            return exec_rights_of_status(text, after);
        }
        if (waitpid(child, NULL, WNOHANG | WNOWAIT) != 0 && kill(child, 0) != 0) return false;
        usleep(200);
    }
    return false;
}

enum result { SAME, CHANGED, CAUTIOUS, FAILED, WRONG, UNUSABLE, RESULTS };
static const char* const result_names[RESULTS] = {"same",       "changed", "cautious",
                                                  "exec fails", "WRONG",   "not set up"};

static bool same_ids(const struct exec_ids* one, const struct exec_ids* other) {
    return memcmp(one, other, sizeof *one) == 0;
}

static enum result compare(enum way way, const struct before* before,
                           const struct exec_rights* after, bool ran) {
    if (!before->reads_as_status) return WRONG;
    /* Ids that differ from each other are refused without a closer look. */
    const bool unlike = strncmp(before->verdict, "different ", 10) == 0;
    const bool fails = strcmp(before->verdict, "the tool's exec would fail") == 0;
    if (!ran) return fails || unlike ? FAILED : WRONG;
    if (fails) return WRONG;
    const bool ids = same_ids(&before->rights.user, &after->user) &&
                     same_ids(&before->rights.group, &after->group);
    const bool same = ids && before->rights.effective == after->effective;
    const uint64_t changed = (before->rights.effective ^ after->effective) & EXEC_LINE_CAPABILITIES;
    if (!before->verdict_of_line[0] && (!ids || changed)) {
        /* Root's file ids aren't looked at by system calls one by one. */
        if (before->rights.user.real != 0 || changed) return WRONG;
    }
    if (!before->verdict[0]) return same ? SAME : WRONG;
    if (!same) return CHANGED;
    /* So is what ip drops again, as not each build of it does. */
    const bool drops = way == IP && strncmp(before->verdict, "an exec would gain", 18) == 0;
    return unlike || drops ? CAUTIOUS : WRONG;
}

static void say_wrong(enum way way, const char* path, uint64_t seed, const struct before* before,
                      const struct exec_rights* after, bool ran) {
    const struct exec_rights* now = &before->rights;
    printf(
        "WRONG %s %s seed %llu: '%s' '%s' ran %d status %d\n  uid %u %u %u %u gid %u %u %u %u e "
        "%llx p %llx i %llx a %llx b %llx bits %x nnp %d\n"
        "  uid %u %u %u %u gid %u %u %u %u e %llx\n",
        way_names[way], path, (unsigned long long)seed, before->verdict, before->verdict_of_line,
        ran, before->reads_as_status, now->user.real, now->user.effective, now->user.saved,
        now->user.files, now->group.real, now->group.effective, now->group.saved, now->group.files,
        (unsigned long long)now->effective, (unsigned long long)now->permitted,
        (unsigned long long)now->inheritable, (unsigned long long)now->ambient,
        (unsigned long long)now->bounding, now->securebits, now->no_new_privs, after->user.real,
        after->user.effective, after->user.saved, after->user.files, after->group.real,
        after->group.effective, after->group.saved, after->group.files,
        (unsigned long long)after->effective);
}

static enum result one(enum way way, const char* path, uint64_t seed) {
    int to_parent[2], input[2];
    if (pipe2(to_parent, O_CLOEXEC) != 0 || pipe2(input, O_CLOEXEC) != 0) abort();
    const pid_t child = fork();
    if (child == 0) {
        dup2(to_parent[1], TO_PARENT), dup2(input[0], 0);
        caller(way, path, seed);
    }
    close(to_parent[1]), close(input[0]);
    struct before before;
    struct exec_rights after;
    memset(&after, 0, sizeof after);
    const bool set_up = read(to_parent[0], &before, sizeof before) == sizeof before;
    bool ran = false;
    if (set_up && way < IP) ran = read(to_parent[0], &after, sizeof after) == sizeof after;
    if (set_up && way >= IP) ran = status_of_reader(child, way == IP ? "ip" : "bridge", &after);
    close(input[1]), close(to_parent[0]);
    waitpid(child, NULL, 0);
    if (!set_up) return UNUSABLE;
    const enum result result = compare(way, &before, &after, ran);
    if (result == WRONG) say_wrong(way, path, seed, &before, &after, ran);
    return result;
}

static bool copy_self(const char* path) {
    char block[65536];
    const int from = open("/proc/self/exe", O_RDONLY),
              to = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0755);
    ssize_t size;
    bool good = from >= 0 && to >= 0;
    while (good && (size = read(from, block, sizeof block)) > 0)
        good = write(to, block, (size_t)size) == size;
    close(from), close(to);
    return good;
}

/* One in four is plain. */
static bool make_file(int number, char* path, const char* directory) {
    snprintf(path, 256, "%s/tool%d", directory, number);
    if (!copy_self(path)) return false;
    const unsigned kind = number % 4 == 0 ? 0 : below(8);
    if (chown(path, some_id(), some_id()) != 0) return false;
    if (chmod(path, 0755 | (kind & 1 ? S_ISUID : 0u) | (kind & 2 ? S_ISGID : 0u)) != 0)
        return false;
    if (!(kind & 4)) return true;
    const uint64_t permitted = some_of(every()), inheritable = some_of(every());
    const struct vfs_cap_data data = {
        VFS_CAP_REVISION_2 | (below(3) ? VFS_CAP_FLAGS_EFFECTIVE : 0),
        {{(uint32_t)permitted, (uint32_t)inheritable},
         {(uint32_t)(permitted >> 32), (uint32_t)(inheritable >> 32)}}};
    return setxattr(path, "security.capability", &data, sizeof data, 0) == 0 || errno == ENOTSUP ||
           errno == EPERM;
}

static int show(void) {
    struct exec_rights rights;
    memset(&rights, 0, sizeof rights);
    if (!own_exec_rights(&rights, EXEC_EVERY_CAPABILITY)) return 1;
    return write(TO_PARENT, &rights, sizeof rights) != sizeof rights;
}

int main(int count, char** words) {
    if (count == 2 && strcmp(words[1], "show") == 0) return show();
    if (count != 4) return 2;
    signal(SIGPIPE, SIG_IGN);
    setvbuf(stdout, NULL, _IOLBF, 0);
    const int turns = atoi(words[1]);
    uint64_t seed = strtoull(words[2], NULL, 10) * 0x9e3779b97f4a7c15 + 1;
    state = seed;
    static char files[FILES][256];
    for (int i = 0; i < FILES; ++i)
        if (!make_file(i, files[i], words[3])) return 2;
    unsigned counts[WAYS][RESULTS] = {{0}};
    for (int turn = 0; turn < turns; ++turn) {
        static const enum way ways[] = {DIRECT,  DIRECT,  DIRECT, DIRECT,
                                        BY_DASH, BY_BASH, IP,     BRIDGE};
        const enum way way = ways[turn % 8];
        const char* const path = files[(way == DIRECT ? turn / 8 : 0) % FILES];
        ++counts[way][one(way, path, ++seed * 0x2545f4914f6cdd1d)];
    }
    unsigned wrong = 0;
    for (int way = 0; way < WAYS; ++way) {
        printf("%-6s", way_names[way]);
        for (int result = 0; result < RESULTS; ++result)
            printf("  %s %u", result_names[result], counts[way][result]);
        printf("\n");
        wrong += counts[way][WRONG];
    }
    return wrong != 0;
}
