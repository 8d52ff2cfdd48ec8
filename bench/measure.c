#include "bench/measure.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

double now_us(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

void fail(const char* what) {
    fprintf(stderr, "failed: %s\n", what);
    exit(1);
}

bool read_all(FILE* stream) {
    static char buffer[1 << 16];
    while (fread(buffer, 1, sizeof buffer, stream) > 0) {
    }
    return !ferror(stream);
}

bool by_popen(const char* line) {
    FILE* stream = popen(line, "r");
    return stream && read_all(stream) && pclose(stream) == 0;
}

bool by_system(const char* line) {
    return system(line) == 0;
}

/* dlsym by handle, not RTLD_NEXT: libc's own, also when this program is linked before the preload.
 */
static void* libc_function(const char* name) {
    static void* libc;
    if (!libc) libc = dlopen("libc.so.6", RTLD_NOW);
    void* function = libc ? dlsym(libc, name) : NULL;
    if (!function) fail(name);
    return function;
}

bool by_libc_popen(const char* line) {
    static FILE* (*libc_popen)(const char*, const char*);
    static int (*libc_pclose)(FILE*);
    if (!libc_popen) *(void**)&libc_popen = libc_function("popen");
    if (!libc_pclose) *(void**)&libc_pclose = libc_function("pclose");
    FILE* stream = libc_popen(line, "r");
    return stream && read_all(stream) && libc_pclose(stream) == 0;
}

bool by_libc_system(const char* line) {
    static int (*libc_system)(const char*);
    if (!libc_system) *(void**)&libc_system = libc_function("system");
    return libc_system(line) == 0;
}
