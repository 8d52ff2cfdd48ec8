#include "backend/echo/echo.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "backend/errors.h"
#include "backend/objects/address/render.h"
#include "backend/objects/link/render.h"
#include "backend/objects/nexthop/render.h"
#include "backend/objects/route/print.h"
#include "backend/objects/rule/rule.h"

namespace nlsh {
namespace {

// Prints one notification, by the same printer as a monitor.
struct Echo {
    Context& context;
    Printer& printer;
    LinkPrinter& links;
    const nlmsghdr& answer;
    bool deleted;
};

// iproute2 applies a show's default filter here, too: only links of group 0 pass.
void print_link(const Echo& echo) {
    const Attributes<IFLA_MAX> link(attribute_bytes<ifinfomsg>(echo.answer));
    if (link[IFLA_GROUP].u32() == 0) echo.links.print(echo.answer);
}

void print_address(const Echo& echo) {
    const Address address(echo.answer);
    if (address.header == nullptr) return;
    if (echo.deleted) echo.printer.boolean("deleted", "Deleted ");
    AddressRenderer(echo.printer, echo.links.names(), echo.context.names, true).print(address);
}

void print_route(const Echo& echo) {
    const auto* header = family_header<rtmsg>(echo.answer);
    if (header == nullptr) return;
    const RouteFilter everything;
    RoutePrinter(echo.context, echo.links.names(), echo.printer, everything)
        .print({*header, Attributes<RTA_MAX>(attribute_bytes<rtmsg>(echo.answer))}, echo.deleted);
}

void print_rule(const Echo& echo) {
    const Rule rule(echo.answer);
    if (rule.header != nullptr) print_rule(echo.printer, echo.context.names, rule, echo.deleted);
}

void print_nexthop(const Echo& echo) {
    const auto* header = family_header<nhmsg>(echo.answer);
    if (header == nullptr) return;
    NexthopPrinter(echo.context, echo.links.names(), echo.printer)
        .print({*header, echo.answer}, echo.deleted);
}

struct Kind {
    uint16_t created, deleted;  // RTM_*
    void (*print)(const Echo&);
    std::string_view complaint;  // for an answer that is no notification
};
constexpr Kind kinds[] = {
    {RTM_NEWLINK, RTM_DELLINK, print_link, {}},
    {RTM_NEWADDR, RTM_DELADDR, print_address, {}},
    {RTM_NEWROUTE, RTM_DELROUTE, print_route, "Not a route"},
    {RTM_NEWRULE, RTM_DELRULE, print_rule, {}},
    {RTM_NEWNEXTHOP, RTM_DELNEXTHOP, print_nexthop, {}},
};

const Kind* find_kind(uint16_t type) {
    const auto* hit = std::ranges::find_if(
        kinds, [&](const Kind& kind) { return type == kind.created || type == kind.deleted; });
    return hit == std::end(kinds) ? nullptr : hit;
}

// `request`: the change's RTM_* number, which tells the notification's type.
void print_echo(Context& context, Channel& channel, const Options& options, uint16_t request,
                const nlmsghdr& answer) {
    const Kind* kind = find_kind(request);
    if (kind == nullptr) return;
    Printer printer(*context.out, options);
    LinkPrinter links(context, channel, printer, LinkView::monitor);
    printer.begin_document();
    printer.open_object();
    if (find_kind(answer.nlmsg_type) == kind) {
        kind->print({context, printer, links, answer, answer.nlmsg_type == kind->deleted});
    } else if (!kind->complaint.empty()) {
        print_error(context, fmt::format("{}: {:08x} {:08x} {:08x}\n", kind->complaint,
                                         answer.nlmsg_len, answer.nlmsg_type, answer.nlmsg_flags));
    }
    printer.close_object();
    printer.end_document();
}

}  // namespace

int send_change(Context& context, const Options& options, Channel& channel, Message& message) {
    if (options.echo && !options.traits.all_known() &&
        context.fall_back("what other versions show of a change"))
        return 1;
    context.commit();
    const uint16_t type = message.header()->nlmsg_type;
    if (!options.echo || type == RTM_NEWLINKPROP || type == RTM_DELLINKPROP) {
        return report_change(context, options.tool, channel.change(message));
    }
    // Print after the exchange, because looking up names uses the same channel.
    std::optional<KeptMessage> told;
    const Verdict verdict = channel.echo(message, [&](const nlmsghdr& answer) {
        told.emplace(answer);
        return true;
    });
    const int status = report_change(context, options.tool, verdict);
    if (told) print_echo(context, channel, options, type, **told);
    return status;
}

}  // namespace nlsh
