// ip link show and ip vrf show.
#include <fmt/format.h>
#include <linux/if_link.h>

#include "backend/errors.h"
#include "backend/names/link.h"
#include "backend/objects/link/query.h"
#include "backend/objects/link/render.h"
#include "backend/objects/link/words/vrf.h"
#include "backend/render/printer.h"
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

constexpr std::string_view vrf_header = "Name              Table\n-----------------------\n";

// iproute2 prints one line, even with -json.
int show_vrf(Context& context, Channel& channel, const Options& options, const std::string& name) {
    const auto link = get_link(channel, name);
    const uint32_t table = link ? vrf_table(**link) : 0;
    if (table == 0) {
        print_error(context, "Invalid VRF\n");
        return 255;
    }
    Printer printer(*context.out, options);
    printer.raw(fmt::format("{} {}\n", name, table));
    printer.flush();
    return 0;
}

}  // namespace

ExitStatus run(Context& context, const Options& options, const LinkShow& request) {
    Channel& channel = TRY(open_channel(context, options));
    const auto filter = TRY(resolve_filter(context, options, channel, request.selection));
    if (request.selection.device.empty()) return show_all(context, options, channel, filter);
    return show_one(context, options, channel, filter, request.selection.device);
}

ExitStatus run(Context& context, const Options& options, const VrfShow& request) {
    Channel& channel = TRY(open_channel(context, options));
    if (!request.name.empty()) return show_vrf(context, channel, options, request.name);
    LinkFilter filter;
    filter.kind = "vrf";
    Message message = link_dump_request(filter, false);
    Printer printer(*context.out, options);
    printer.begin_document();
    printer.text(vrf_header);
    bool none = true;
    const Verdict verdict = channel.dump(message, [&](const nlmsghdr& answer) {
        const uint32_t table = vrf_table(answer);
        if (table == 0) return true;
        const std::string_view name =
            Attributes<IFLA_MAX>(attribute_bytes<ifinfomsg>(answer))[IFLA_IFNAME].string();
        none = false;
        printer.open_object();
        printer.json_string("name", name);
        printer.json_number("table", table);
        printer.text(fmt::format("{:<16} {:>5}\n", name, table));
        printer.close_object();
        return printer.flush_if_large();
    });
    if (!verdict.ok() && context.fall_back("vrf show: no dump")) return 1;
    if (none) printer.text("No VRF has been configured\n");
    printer.end_document();
    return 0;
}

}  // namespace nlsh
