// An Outcome as a structure of C.
#pragma once

#include "shim/library/handle.h"
#include "shim/library/nlsh.h"

namespace nlsh {

// Belongs to the caller; free_result frees it. Throws std::bad_alloc.
nlsh_result* make_result(Outcome outcome);
void free_result(nlsh_result* result);

}  // namespace nlsh
