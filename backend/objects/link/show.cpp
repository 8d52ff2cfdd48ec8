#include "backend/dump.h"
#include "backend/errors.h"
#include "backend/objects/link/query.h"
#include "backend/objects/link/render.h"
#include "backend/run.h"

namespace nlsh {
namespace {

// JSON has an object even for a link that the filter rejects. Newer builds omit other groups.
void print_link(Context& context, Printer& printer, LinkPrinter& links, const LinkFilter& filter,
                const nlmsghdr& message) {
    if (filter.is_of_another_group(message) &&
        context.has(printer.options(), Trait::group_filter_first)) {
        return;
    }
    printer.open_object();
    if (filter.passes(message)) links.print(message);
    printer.close_object();
}

int show_one(Context& context, const Options& options, Channel& channel, const LinkFilter& filter,
             std::string_view name) {
    const auto link = find_link(context, options, channel, name, "link show: no answer");
    if (!link) return link.error();
    Printer printer(*context.out, options);
    LinkPrinter links(context, channel, printer, LinkView::link);
    links.learn(**link);
    printer.begin_document();
    print_link(context, printer, links, filter, **link);
    if (context.fallback) return 1;
    printer.end_document();
    return 0;
}

int show_all(Context& context, const Options& options, Channel& channel, const LinkFilter& filter) {
    Printer printer(*context.out, options);
    LinkPrinter links(context, channel, printer, LinkView::link);
    Message request = link_dump_request(filter, options.statistics > 0);
    printer.begin_document();
    const Verdict verdict = dump_links(channel, request, links, [&](const nlmsghdr& message) {
        print_link(context, printer, links, filter, message);
        return !context.fallback && printer.flush_if_large();
    });
    if (context.fallback) return 1;
    if (!verdict.ok() && context.fall_back("link show: the dump failed")) return 1;
    printer.end_document();
    if (!print_dump_verdict(context, verdict)) print_dump_terminated(context);
    return 0;  // iproute2 returns 0 even if the dump failed
}

}  // namespace

ExitStatus run(Context& context, const Options& options, const LinkShow& request) {
    Channel& channel = TRY(open_channel(context, options));
    const auto filter = TRY(resolve_filter(context, options, channel, request.selection));
    if (request.selection.device.empty()) return show_all(context, options, channel, filter);
    return show_one(context, options, channel, filter, request.selection.device);
}

}  // namespace nlsh
