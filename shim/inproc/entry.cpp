// The symbols of libnlsh-engine.so.
#include "shim/inproc/guest.h"

#define NLSH_EXPORTED __attribute__((visibility("default")))

NLSH_EXPORTED int nlsh_engine_run(nlsh_engine_call* call) {
    return nlsh::run_as_guest(*call) ? 1 : 0;
}

NLSH_EXPORTED int nlsh_engine_run_command(nlsh_engine_command* command) {
    return nlsh::run_as_guest(*command) ? 1 : 0;
}
