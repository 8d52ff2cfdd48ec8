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
class EchoPrinter {
  public:
    EchoPrinter(Context& context, Channel& channel, const Options& options)
        : context_(context),
          printer_(*context.out, options),
          links_(context, channel, printer_, LinkView::monitor) {}

    // `request`: the change's RTM_* number, which tells the notification's type.
    void print(uint16_t request, const nlmsghdr& answer);

  private:
    void link(const nlmsghdr& answer);
    void address(const nlmsghdr& answer);
    void route(const nlmsghdr& answer);
    void rule(const nlmsghdr& answer);
    void nexthop(const nlmsghdr& answer);

    struct Kind {
        uint16_t created, deleted;  // RTM_*
        void (EchoPrinter::*print)(const nlmsghdr&);
        std::string_view complaint;  // for an answer that is no notification
    };
    static constexpr Kind kinds[] = {
        {RTM_NEWLINK, RTM_DELLINK, &EchoPrinter::link, {}},
        {RTM_NEWADDR, RTM_DELADDR, &EchoPrinter::address, {}},
        {RTM_NEWROUTE, RTM_DELROUTE, &EchoPrinter::route, "Not a route"},
        {RTM_NEWRULE, RTM_DELRULE, &EchoPrinter::rule, {}},
        {RTM_NEWNEXTHOP, RTM_DELNEXTHOP, &EchoPrinter::nexthop, {}},
    };
    static const Kind* find(uint16_t type);

    Context& context_;
    Printer printer_;
    const RouteFilter everything_;
    LinkPrinter links_;
};

// iproute2 applies a show's default filter here, too: only links of group 0 pass.
void EchoPrinter::link(const nlmsghdr& answer) {
    const Attribute group = Attributes<IFLA_MAX>(attribute_bytes<ifinfomsg>(answer))[IFLA_GROUP];
    if (!group || group.u32() == 0) links_.print(answer);
}

void EchoPrinter::address(const nlmsghdr& answer) {
    const Address address(answer);
    if (address.header == nullptr) return;
    if (answer.nlmsg_type == RTM_DELADDR) printer_.boolean("deleted", "Deleted ");
    AddressRenderer(printer_, links_.names(), context_.names, true).print(address);
}

void EchoPrinter::route(const nlmsghdr& answer) {
    const auto* header = family_header<rtmsg>(answer);
    if (header == nullptr) return;
    RoutePrinter(context_, links_.names(), printer_, everything_)
        .print({*header, Attributes<RTA_MAX>(attribute_bytes<rtmsg>(answer))},
               answer.nlmsg_type == RTM_DELROUTE);
}

void EchoPrinter::rule(const nlmsghdr& answer) {
    const Rule rule(answer);
    if (rule.header == nullptr) return;
    print_rule(printer_, context_.names, rule, answer.nlmsg_type == RTM_DELRULE);
}

void EchoPrinter::nexthop(const nlmsghdr& answer) {
    const auto* header = family_header<nhmsg>(answer);
    if (header == nullptr) return;
    NexthopPrinter(context_, links_.names(), printer_)
        .print({*header, answer}, answer.nlmsg_type == RTM_DELNEXTHOP);
}

const EchoPrinter::Kind* EchoPrinter::find(uint16_t type) {
    const auto* hit = std::ranges::find_if(
        kinds, [&](const Kind& kind) { return type == kind.created || type == kind.deleted; });
    return hit == std::end(kinds) ? nullptr : hit;
}

void EchoPrinter::print(uint16_t request, const nlmsghdr& answer) {
    const Kind* kind = find(request);
    if (kind == nullptr) return;
    printer_.begin_document();
    printer_.open_object();
    if (find(answer.nlmsg_type) == kind) {
        (this->*kind->print)(answer);
    } else if (!kind->complaint.empty()) {
        print_error(context_, fmt::format("{}: {:08x} {:08x} {:08x}\n", kind->complaint,
                                          answer.nlmsg_len, answer.nlmsg_type, answer.nlmsg_flags));
    }
    printer_.close_object();
    printer_.end_document();
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
    if (told) EchoPrinter(context, channel, options).print(type, **told);
    return status;
}

}  // namespace nlsh
