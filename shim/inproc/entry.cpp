// The one symbol of libnlsh-engine.so.
#include "shim/inproc/guest.h"

__attribute__((visibility("default"))) int nlsh_engine_run(nlsh_engine_call* call) {
    return nlsh::run_as_guest(*call) ? 1 : 0;
}
