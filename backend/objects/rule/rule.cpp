// `ip rule`: changes, show and flush.
#include "backend/objects/rule/rule.h"

#include <endian.h>
#include <linux/fib_rules.h>

#include <algorithm>
#include <vector>

#include "backend/echo/echo.h"
#include "backend/errors.h"
#include "backend/objects/rule/words/rows.h"
#include "backend/render/fields.h"
#include "backend/run.h"
#include "parser/ip/newer_kernel.h"

namespace nlsh {
namespace {

void put_device(Message& message, uint16_t type, const std::optional<std::string>& name) {
    if (name) message.put_string(type, *name);
}

void put_number(Message& message, uint16_t type, const std::optional<uint32_t>& number) {
    if (number) message.put_u32(type, *number);
}

void put_ports(Message& message, uint16_t type, uint16_t mask, const std::optional<Ports>& ports) {
    if (!ports) return;
    const fib_rule_port_range range{.start = ports->first, .end = ports->last};
    message.put(type, &range, sizeof range);
    if (ports->mask) message.put_u16(mask, *ports->mask);
}

void put_dscp(Message& message, const std::optional<Masked<uint8_t>>& dscp) {
    if (!dscp) return;
    message.put_u8(newer::FRA_DSCP, dscp->value);
    if (dscp->mask) message.put_u8(newer::FRA_DSCP_MASK, *dscp->mask);
}

void put_flow_label(Message& message, const std::optional<Masked<uint32_t>>& label) {
    if (!label) return;
    message.put_u32(newer::FRA_FLOWLABEL, htobe32(label->value));
    message.put_u32(newer::FRA_FLOWLABEL_MASK, htobe32(label->mask.value_or(whole_flow_label)));
}

void put_mark(Message& message, const std::optional<FirewallMark>& mark) {
    if (!mark) return;
    message.put_u32(FRA_FWMARK, mark->value);
    put_number(message, FRA_FWMASK, mark->mask);
}

void put_selectors(Message& message, const RuleSelectors& rule) {
    if (rule.from) message.put(FRA_SRC, rule.from->span());
    if (rule.to) message.put(FRA_DST, rule.to->span());
    put_number(message, FRA_PRIORITY, rule.priority);
    put_mark(message, rule.mark);
    put_device(message, FRA_IIFNAME, rule.iif);
    put_device(message, FRA_OIFNAME, rule.oif);
    if (rule.l3mdev) message.put_u8(FRA_L3MDEV, 1);
    if (rule.uids) {
        const fib_rule_uid_range range{.start = rule.uids->first, .end = rule.uids->last};
        message.put(FRA_UID_RANGE, &range, sizeof range);
    }
    if (rule.ip_protocol) message.put_u8(FRA_IP_PROTO, *rule.ip_protocol);
    put_ports(message, FRA_SPORT_RANGE, newer::FRA_SPORT_MASK, rule.source_ports);
    put_ports(message, FRA_DPORT_RANGE, newer::FRA_DPORT_MASK, rule.destination_ports);
    put_dscp(message, rule.dscp);
    put_flow_label(message, rule.flow_label);
    put_fields(message, rule_fields, rule.fields);
    if (rule.table && *rule.table > UINT8_MAX) message.put_u32(FRA_TABLE, *rule.table);
    if (rule.protocol) message.put_u8(FRA_PROTOCOL, *rule.protocol);
}

fib_rule_hdr header_of(const RuleChange& request) {
    const RuleSelectors& rule = request.selectors;
    auto header = of_family<fib_rule_hdr>(rule.family);
    header.action = request.action.value_or(FR_ACT_UNSPEC);
    if (rule.invert) header.flags = FIB_RULE_INVERT;
    if (rule.from && rule.from->size > 0) header.src_len = rule.from->bits;
    if (rule.to && rule.to->size > 0) header.dst_len = rule.to->bits;
    header.tos = rule.tos.value_or(0);
    if (rule.table && *rule.table <= UINT8_MAX) header.table = static_cast<uint8_t>(*rule.table);
    return header;
}

}  // namespace

ExitStatus run(Context& context, const Options& options, const RuleChange& request) {
    Channel& channel = TRY(open_channel(context, options));
    Message message(request.verb == ChangeVerb::remove ? RTM_DELRULE : RTM_NEWRULE,
                    flags_of(request.verb), header_of(request));
    put_selectors(message, request.selectors);
    put_number(message, FRA_GOTO, request.target);
    put_number(message, FRA_FLOW, request.realms);
    put_number(message, FRA_SUPPRESS_PREFIXLEN, request.suppress_prefix_length);
    put_number(message, FRA_SUPPRESS_IFGROUP, request.suppress_group);
    return send_change(context, options, channel, message);
}

ExitStatus run(Context& context, const Options& options, const RuleShow& request) {
    Channel& channel = TRY(open_channel(context, options));
    Message message(RTM_GETRULE, 0, of_family<fib_rule_hdr>(request.filter.family));
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

ExitStatus run(Context& context, const Options& options, const RuleFlush& request) {
    Channel& channel = TRY(open_channel(context, options));
    Message message(RTM_GETRULE, 0, of_family<fib_rule_hdr>(request.family));
    std::vector<KeptMessage> doomed;
    const Verdict verdict = channel.dump(message, [&](const nlmsghdr& answer) {
        // A rule without a priority attribute has priority 0; flush keeps this rule.
        const Rule rule(answer);
        if (rule.header && rule.attributes[FRA_PRIORITY]) doomed.emplace_back(answer);
        return true;
    });
    const bool flushed = print_dump_verdict(context, verdict) &&
                         std::ranges::all_of(doomed, [&](const KeptMessage& rule) {
                             context.commit();
                             Message deletion = repeated<fib_rule_hdr>(RTM_DELRULE, *rule);
                             return print_verdict(context, channel.change(deletion));
                         });
    if (flushed) return 0;
    print_dump_terminated(context);
    return 255;
}

}  // namespace nlsh
