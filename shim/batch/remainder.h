// Runs the rest of a batch by the real binary.
#pragma once

#include "shim/batch/batch.h"
#include "shim/batch/block_output.h"
#include "shim/batch/source.h"

namespace nlsh {

// The real binary runs everything that hasn't been consumed, with the file's name and line numbers
// in its messages. Returns its exit status, 128+N if signal N ended it.
//
// A real binary that ran all lines would have the bytes of `out` in its buffer, and print errors
// before them. So if both outputs go to one file, appends the child's output to these bytes. The
// order is exact up to a block; later output comes late by less than one block.
int run_remainder(const BatchCall& call, BatchSource& source, BlockOutput& out);

}  // namespace nlsh
