// Runs the rest of a batch by the real binary.
#pragma once

#include "shim/batch/batch.h"
#include "shim/batch/source.h"

namespace nlsh {

// The real binary runs everything that hasn't been consumed, with the file's name and line numbers
// in its messages. Returns its exit status, 128+N if signal N ended it.
int run_remainder(const BatchCall& call, BatchSource& source);

}  // namespace nlsh
