// The end of a show that is one dump.
#pragma once

#include "backend/context.h"
#include "backend/render/printer.h"

namespace nlsh {

// Ends the document. When the dump failed: its messages and `Dump terminated`, and the status
// `failed`.
int end_dump(Context& context, Printer& printer, const Verdict& verdict, int failed);

}  // namespace nlsh
