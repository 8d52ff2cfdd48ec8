#include "preload/caller/place.h"

#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "preload/caller/thread.h"
#include "shim/wire/root.h"

/* The server inspects a process's main thread. */
static bool is_main_threads(uint64_t root) {
    return thread_is_main() || root_number("/proc/self/root/") == root;
}

static const char other[] = "another root or mount namespace";
static _Atomic uint64_t root; /* of the first call; 0: not checked */

/* The server checks this only from time to time. */
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

/* The kernel marks the name of an unmounted directory. Names longer than our buffer aren't checked.
 */
bool working_directory_is_gone(void) {
    char name[256];
    const long size = syscall(SYS_getcwd, name, sizeof name);
    return size <= 0 || name[0] != '/';
}
