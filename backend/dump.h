// The end of a show that is one dump.
#pragma once

#include "backend/context.h"
#include "backend/render/printer.h"

namespace nlsh {

// Whether the dump failed. If so its messages and `Dump terminated` are printed, then what is
// shown.
bool dump_failed(Context& context, Printer& printer, const Verdict& verdict);
// Ends the document; when the dump failed, dump_failed() instead, and the status `failed`.
int end_dump(Context& context, Printer& printer, const Verdict& verdict, int failed);

}  // namespace nlsh
