#include "backend/dump.h"

#include "backend/errors.h"

namespace nlsh {

void print_dump_terminated(Context& context) {
    print_error(context, "Dump terminated\n");
}

bool dump_failed(Context& context, Printer& printer, const Verdict& verdict) {
    if (print_dump_verdict(context, verdict)) return false;
    print_dump_terminated(context);
    printer.flush();
    return true;
}

int end_dump(Context& context, Printer& printer, const Verdict& verdict, int failed,
             FailedDump document) {
    if (!verdict.ok() && printer.json() && document != FailedDump::stays_open &&
        !context.has(printer.options(), Trait::json_closed_after_error)) {
        document = FailedDump::stays_open;
    }
    if (context.fallback) return failed;
    if (!print_dump_verdict(context, verdict)) {
        if (document == FailedDump::closed_before_last_message) printer.end_document();
        print_dump_terminated(context);
        if (document == FailedDump::closed_last) printer.end_document();
        printer.flush();
        return failed;
    }
    printer.end_document();
    return 0;
}

}  // namespace nlsh
