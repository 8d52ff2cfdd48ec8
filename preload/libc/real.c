#include "preload/libc/real.h"

#include <stdatomic.h>
#include <string.h>

#include "preload/libc/next.h"

/* Two threads may look up the same name: both find the same address. */
static void* next(_Atomic(void*)* cached, const char* name) {
    void* found = atomic_load_explicit(cached, memory_order_acquire);
    if (!found) {
        found = next_address(name);
        atomic_store_explicit(cached, found, memory_order_release);
    }
    return found;
}

#define REAL(type, name)                     \
    static _Atomic(void*) cached;            \
    void* const found = next(&cached, name); \
    type* function;                          \
    memcpy(&function, &found, sizeof function)

typedef FILE* open_function(const char*, const char*);
typedef int close_function(FILE*);
typedef int system_function(const char*);

FILE* real_popen(const char* command, const char* mode) {
    REAL(open_function, "popen");
    return function(command, mode);
}

int real_pclose(FILE* file) {
    REAL(close_function, "pclose");
    return function(file);
}

int real_system(const char* command) {
    REAL(system_function, "system");
    return function(command);
}

int real_fclose(FILE* file) {
    REAL(close_function, "fclose");
    return function(file);
}
