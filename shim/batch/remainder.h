// Runs the rest of a batch by the real binary.
#pragma once

#include "shim/batch/batch.h"
#include "shim/batch/block_output.h"
#include "shim/batch/source.h"

namespace nlsh {

// The real binary runs everything that hasn't been consumed, with the file's name and line numbers
// in its messages. Returns its exit status, 128+N if signal N ended it.
//
// What `out` holds would be in its buffer, and errors come before it. So where both go to one
// place, its output is added to what is held: exact up to a block, later by less than one block
// otherwise.
int run_remainder(const BatchCall& call, BatchSource& source, BlockOutput& out);

}  // namespace nlsh
