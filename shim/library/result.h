// Turns an Outcome into a C structure.
#pragma once

#include "shim/library/handle.h"
#include "shim/library/nlsh.h"

namespace nlsh {

// The caller frees it by free_result. Throws std::bad_alloc.
nlsh_result* make_result(Outcome outcome);
void free_result(nlsh_result* result);

}  // namespace nlsh
