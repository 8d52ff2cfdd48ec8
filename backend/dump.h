// The end of a show that is one dump: the document's end, and messages after a failure.
#pragma once

#include "backend/context.h"
#include "backend/render/printer.h"

namespace nlsh {

void print_dump_terminated(Context& context);
// Whether the dump failed. If so its messages and `Dump terminated` are printed, then what is
// shown.
bool dump_failed(Context& context, Printer& printer, const Verdict& verdict);
// How a build leaves the JSON document after a failed dump (Trait::json_closed_after_error).
enum class FailedDump : uint8_t { stays_open, closed_last, closed_before_last_message };
// Ends the document; when the dump failed, its messages are printed, and the status is `failed`.
int end_dump(Context& context, Printer& printer, const Verdict& verdict, int failed,
             FailedDump document = FailedDump::stays_open);

}  // namespace nlsh
