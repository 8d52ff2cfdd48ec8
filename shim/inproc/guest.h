// The engine inside another program: libnlsh-engine.so, loaded by the preload or by bash's builtin.
#pragma once

#include "shim/inproc/engine_api.h"

namespace nlsh {

// See nlsh_engine_run and nlsh_engine_run_command. Never throws.
bool run_as_guest(nlsh_engine_call& call);
bool run_as_guest(nlsh_engine_command& command);

}  // namespace nlsh
