// The engine inside somebody else's process: libnlsh-engine.so, loaded by the preload.
#pragma once

#include "shim/inproc/engine_api.h"

namespace nlsh {

// See nlsh_engine_run. Never throws.
bool run_as_guest(nlsh_engine_call& call);

}  // namespace nlsh
