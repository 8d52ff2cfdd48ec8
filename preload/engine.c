#include "preload/engine.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>

#include "preload/config.h"
#include "preload/text.h"
#include "shim/inproc/engine_api.h"

typedef int engine_function(struct nlsh_engine_call*);

static _Atomic(void*) engine; /* NULL: not looked for; its own address: there is none */

/* Beside this library, unless NLSH_ENGINE_LIBRARY names another. "" when that isn't an absolute
 * path. */
static void library_path(char* path, size_t size) {
    path[0] = 0;
    Dl_info self;
    const char* known = config()->engine;
    const char* name = known;
    size_t directory = 0;
    if (!known) {
        if (!dladdr(&engine, &self) || !self.dli_fname) return;
        known = self.dli_fname;
        name = "libnlsh-engine.so";
        directory = (size_t)(text_base(known) - known);
    }
    const size_t length = strlen(name);
    if (known[0] != '/' || directory + length >= size) return;
    memcpy(path, known, directory);
    memcpy(path + directory, name, length + 1);
}

/* What runs with root's rights must be root's. */
static bool trusted(const char* path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == 0 &&
           (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

static void* load(void) {
    char path[256];
    library_path(path, sizeof path);
    if (!path[0] || !trusted(path)) return NULL;
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    return library ? dlsym(library, NLSH_ENGINE_FUNCTION) : NULL;
}

static engine_function* find(void) {
    void* found = atomic_load_explicit(&engine, memory_order_acquire);
    if (!found) {
        found = load(); /* two threads find the same */
        if (!found) found = &engine;
        atomic_store_explicit(&engine, found, memory_order_release);
    }
    engine_function* function = NULL;
    if (found != &engine) memcpy(&function, &found, sizeof function);
    return function;
}

static const char disable[] = "disable";
enum { SWITCH_MAX = sizeof((struct config*)0)->socket + sizeof disable };

/* `disable` beside the server's sockets, there or not (shim/engine/disabled.h). */
static void kill_switch(char* path) {
    const char* const socket = config()->socket;
    /* Not strrchr: a name that is imported is looked up at every start. */
    const size_t directory = (size_t)(text_base(socket) - socket);
    memcpy(path, socket, directory);
    memcpy(path + directory, disable, sizeof disable);
}

enum engine_answer engine_ask(struct call* call, enum nlsh_kind kind, const char* line, int output,
                              bool outputs_open) {
    if (!config()->inproc) return ENGINE_NONE;
    engine_function* const run = find();
    if (!run) return ENGINE_NONE;
    call->reason = "stdout or stderr is closed";
    if (!outputs_open) return ENGINE_DECLINED;
    call->text[0] = 0;
    char path[SWITCH_MAX];
    kill_switch(path);
    struct nlsh_engine_call request = {.version = NLSH_ENGINE_VERSION,
                                       .kind = (uint8_t)kind,
                                       .line = line,
                                       .kill_switch = path,
                                       .output = output,
                                       .text = config()->trace[0] ? call->text : NULL};
    const bool done = run(&request) != 0;
    call->status = request.status;
    call->reason = call->text[0] ? call->text : "declined";
    return done ? ENGINE_DONE : ENGINE_DECLINED;
}
