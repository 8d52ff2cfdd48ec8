#include "preload/client/engine.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "preload/libc/next.h"
#include "preload/settings/config.h"
#include "preload/settings/installed.h"
#include "preload/settings/switch.h"
#include "shim/inproc/engine_api.h"

typedef int engine_function(struct nlsh_engine_call*);

/* NULL: no engine is installed, or the program doesn't ask for one. */
static engine_function* engine;

static void* load(void) {
    char beside[256];
    const char* path = config()->engine;
    if (path && (path[0] != '/' || !installed_trusted(path))) return NULL;
    if (!path && installed_found("libnlsh-engine.so", beside, sizeof beside)) path = beside;
    if (!path) return NULL;
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    return library ? dlsym(library, NLSH_ENGINE_FUNCTION) : NULL;
}

/* Loads the engine when the program starts, or never. A later dlopen(3) could hang or crash: in a
 * forked child if another thread was in the dynamic linker, and in a signal handler that
 * interrupted malloc or the linker. We can't detect these cases. So programs with
 * NLSH_ENGINE=inproc that import popen or system load the engine here. Others, such as a shell's
 * children, don't. */
__attribute__((constructor)) static void load_engine(void) {
    if (!config()->inproc || config()->disabled || !program_calls()) return;
    const int error = errno;
    void* const found = load();
    memcpy(&engine, &found, sizeof engine);
    errno = error;
}

enum engine_answer engine_ask(struct call* call, enum nlsh_kind kind, const char* line, int output,
                              bool outputs_open) {
    if (!config()->inproc) return ENGINE_NONE;
    if (!engine) return ENGINE_NONE;
    call->reason = "stdout or stderr is closed";
    if (!outputs_open) return ENGINE_DECLINED;
    call->text[0] = 0;
    char path[SWITCH_MAX];
    switch_path(path);
    struct nlsh_engine_call request = {.version = NLSH_ENGINE_VERSION,
                                       .kind = (uint8_t)kind,
                                       .line = line,
                                       .kill_switch = path,
                                       .output = output,
                                       .text = config()->trace[0] ? call->text : NULL};
    const bool done = engine(&request) != 0;
    call->way = "inproc";
    call->status = request.status;
    call->reason = call->text[0] ? call->text : "declined";
    if (done) return ENGINE_DONE;
    call->second_look = request.status == NLSH_ENGINE_LOOK;
    const bool elsewhere = call->second_look || request.status == NLSH_ENGINE_ELSEWHERE;
    return elsewhere ? ENGINE_ELSEWHERE : ENGINE_DECLINED;
}
