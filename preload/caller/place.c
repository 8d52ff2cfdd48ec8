#include "preload/caller/place.h"

#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "preload/caller/thread.h"
#include "shim/wire/root.h"

/* The server looks at a process's main thread. */
static bool is_main_threads(uint64_t root) {
    return thread_is_main() || root_number("/proc/self/root/") == root;
}

static const char other[] = "another root or mount namespace";
static _Atomic uint64_t root; /* of the first call; 0: not looked at */

/* The server looks once in a while only. */
const char* place_refusal(void) {
    const uint64_t present = root_number("/");
    if (present == 0) return other;
    uint64_t known = atomic_load(&root);
    if (known == 0) {
        if (!is_main_threads(present)) return other;
        if (atomic_compare_exchange_strong(&root, &known, present)) return NULL;
    }
    return known == present ? NULL : other;
}

uint64_t place_root(void) {
    return atomic_load(&root);
}

/* The kernel marks the name of one that was unmounted; a longer one than ours isn't looked at. */
bool working_directory_is_gone(void) {
    char name[256];
    const long size = syscall(SYS_getcwd, name, sizeof name);
    return size <= 0 || name[0] != '/';
}
