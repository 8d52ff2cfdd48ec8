// `ip rule show`: one dump. nlsh applies all filters, because the kernel has none.
#include "backend/dump.h"
#include "backend/objects/rule/rule.h"
#include "backend/run.h"

namespace nlsh {

ExitStatus run(Context& context, const Options& options, const RuleShow& request) {
    Channel& channel = TRY(open_channel(context, options));
    fib_rule_hdr header{};
    header.family = request.filter.family;
    Message message(RTM_GETRULE, 0, header);
    Printer printer(*context.out, options);
    printer.begin_document();
    const Verdict verdict = channel.dump(message, [&](const nlmsghdr& answer) {
        const Rule rule(answer);
        if (!rule.header || !rule_matches(rule, request.filter)) return true;
        if (!print_rule(printer, context.names, rule) && context.fall_back("rule: unknown field")) {
            return false;
        }
        return printer.flush_if_large();
    });
    if (context.fallback) return 1;
    if (!verdict.ok() && printer.text_mode()) printer.flush();
    return end_dump(context, printer, verdict, 255, FailedDump::closed_last);
}

}  // namespace nlsh
