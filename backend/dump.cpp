#include "backend/dump.h"

#include "backend/errors.h"

namespace nlsh {

bool dump_failed(Context& context, Printer& printer, const Verdict& verdict) {
    if (print_dump_verdict(context, verdict)) return false;
    print_error(context, "Dump terminated\n");
    printer.flush();
    return true;
}

int end_dump(Context& context, Printer& printer, const Verdict& verdict, int failed) {
    if (dump_failed(context, printer, verdict)) return failed;
    printer.end_document();
    return 0;
}

}  // namespace nlsh
