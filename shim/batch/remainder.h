// What is left of a batch, by the real binary.
#pragma once

#include "shim/batch/batch.h"
#include "shim/batch/source.h"

namespace nlsh {

// Runs the real one on all that hasn't been consumed, with the file's name and line numbers in its
// messages. Its exit status, 128+N when signal N ended it.
int run_remainder(const BatchCall& call, BatchSource& source);

}  // namespace nlsh
