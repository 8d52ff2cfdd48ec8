#include "shim/builtin/in_process.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "shim/inproc/engine_api.h"
#include "shim/rights/file_trust.h"

typedef int engine_function(struct nlsh_engine_command*);

static struct {
    bool sought;
    engine_function* run; /* NULL: there is none */
} engine;

/* The engine beside this library, or $NLSH_ENGINE_LIBRARY. "": not an absolute path. */
static void engine_path(char* path, size_t size) {
    Dl_info self;
    path[0] = 0;
    const char* directory = secure_getenv("NLSH_ENGINE_LIBRARY");
    const char* name = "";
    size_t length = directory ? strlen(directory) : 0;
    if (!length) {
        if (!dladdr(&engine, &self) || !self.dli_fname) return;
        const char* const slash = strrchr(self.dli_fname, '/');
        directory = self.dli_fname;
        length = slash ? (size_t)(slash + 1 - directory) : 0;
        name = "libnlsh-engine.so";
    }
    if (!length || directory[0] != '/' || length + strlen(name) >= size) return;
    memcpy(path, directory, length);
    strcpy(path + length, name);
}

/* Code that runs with root's rights must belong to root. */
static bool trusted(const char* path) {
    Dl_info self;
    const bool beside = !secure_getenv("NLSH_ENGINE_LIBRARY") && dladdr(&engine, &self);
    return beside ? file_is_trusted_beside(path, 0, self.dli_fname) : file_is_trusted(path, 0);
}

void in_process_prepare(void) {
    char path[256];
    if (engine.sought) return;
    engine.sought = true;
    engine_path(path, sizeof path);
    if (!path[0] || !trusted(path)) return;
    void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    void* const found = library ? dlsym(library, NLSH_ENGINE_COMMAND_FUNCTION) : NULL;
    memcpy(&engine.run, &found, sizeof found);
}

bool in_process_run(const char* file, const char* const* words, bool doubt, int* status) {
    in_process_prepare();
    if (!engine.run) return false;
    struct nlsh_engine_command command = {
        .version = NLSH_ENGINE_VERSION, .file = file, .words = words, .doubt = doubt};
    if (!engine.run(&command)) return false;
    *status = command.status;
    return true;
}
