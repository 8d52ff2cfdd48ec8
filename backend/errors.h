// Turns errors of commands into iproute2's texts and exit statuses, only here
// (packaging/docs/iproute2-behaviour.md, "Messages and exit status").
#pragma once

#include <string_view>

#include "backend/context.h"
#include "backend/render/printer.h"
#include "parser/ip/options.h"

namespace nlsh {

// Reports the kernel's answer to a change: success prints nothing or a warning, and returns 0; an
// error prints `RTNETLINK answers: …` or `Error: ….`, and returns 2 (ip) or 255 (bridge).
int report_change(Context& context, Tool tool, const Verdict& verdict);
// Commits, then sends and reports a change of an object that `-echo` doesn't know (echo.h).
int send_unechoed(Context& context, const Options& options, Channel& channel, Message& message);
// The same, but returns whether the request succeeded.
bool print_verdict(Context& context, const Verdict& verdict);
// The same for a dump. The caller prints `Dump terminated` and picks the status.
bool print_dump_verdict(Context& context, const Verdict& verdict);
void print_dump_terminated(Context& context);
// Whether the dump failed. If so, prints its messages and `Dump terminated`, then flushes the show.
bool dump_failed(Context& context, Printer& printer, const Verdict& verdict);
// How a build leaves the JSON document after a failed dump (Trait::json_closed_after_error).
enum class FailedDump : uint8_t { stays_open, closed_last, closed_before_last_message };
// Ends the document. If the dump failed, prints its messages and returns `failed`.
int end_dump(Context& context, Printer& printer, const Verdict& verdict, int failed,
             FailedDump document = FailedDump::stays_open);
// `Cannot find device "x"` and 1 (ip) or 255 (bridge).
int cannot_find_device(Context& context, const Options& options, std::string_view name);
// `Cannot find bridge device "x"` and 255.
int cannot_find_bridge_device(Context& context, const Options& options, std::string_view name);
// `Device "x" does not exist.` and 1.
int device_does_not_exist(Context& context, const Options& options, std::string_view name);
// `Error: argument "x" is wrong: WHY` and 255. iproute2 exits at once after this error, even in a
// batch, where nlsh falls back. `why` includes its newlines.
int wrong_argument(Context& context, const Options& options, std::string_view word,
                   std::string_view why);
// A socket can't be opened: `Cannot open netlink socket: …` and 1.
int cannot_open_socket(Context& context, int error);

void print_error(Context& context, std::string_view text);  // appends nothing: give the newline

}  // namespace nlsh
