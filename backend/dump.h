// Ends a show that is one dump: closes the document, and prints the messages of a failure.
#pragma once

#include "backend/context.h"
#include "backend/render/printer.h"

namespace nlsh {

void print_dump_terminated(Context& context);
// Whether the dump failed. If so, prints its messages and `Dump terminated`, then flushes the show.
bool dump_failed(Context& context, Printer& printer, const Verdict& verdict);
// How a build leaves the JSON document after a failed dump (Trait::json_closed_after_error).
enum class FailedDump : uint8_t { stays_open, closed_last, closed_before_last_message };
// Ends the document. If the dump failed, prints its messages and returns `failed`.
int end_dump(Context& context, Printer& printer, const Verdict& verdict, int failed,
             FailedDump document = FailedDump::stays_open);

}  // namespace nlsh
