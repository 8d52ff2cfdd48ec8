#include "backend/dump.h"

#include "backend/errors.h"

namespace nlsh {

int end_dump(Context& context, Printer& printer, const Verdict& verdict, int failed) {
    if (!print_dump_verdict(context, verdict)) {
        print_error(context, "Dump terminated\n");
        printer.flush();
        return failed;
    }
    printer.end_document();
    return 0;
}

}  // namespace nlsh
