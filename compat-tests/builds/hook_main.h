// For libraries that play a build (hook.h): a function of theirs runs in the place of main(), also
// when the program runs against recordings, and may call it.
#pragma once

#include <dlfcn.h>
#include <stddef.h>

#include "hook.h"

typedef int program(int, char**, char**);
typedef int start(program*, int, char**, void (*)(void), void (*)(void), void (*)(void), void*);

static program *real_main, *main_in_between;
static start* real_start;

static int start_in_between(program* main, int count, char** words, void (*init)(void),
                            void (*fini)(void), void (*loader)(void), void* stack) {
    real_main = main;
    return real_start(main_in_between, count, words, init, fini, loader, stack);
}

static void hook_main(program* with) {
    struct hook hook = {"__libc_start_main", (void*)start_in_between};
    main_in_between = with;
    real_start = (start*)dlsym(RTLD_DEFAULT, "__libc_start_main");
    dl_iterate_phdr(hook_program, &hook);
}
