// ip netns list, list-id, set.
#include <fmt/format.h>
#include <linux/net_namespace.h>

#include <cerrno>
#include <cstring>

#include "backend/descriptor.h"
#include "backend/errors.h"
#include "backend/net/attributes.h"
#include "backend/net/namespace.h"
#include "backend/objects/netns/names.h"
#include "backend/objects/netns/words/netns.h"
#include "backend/render/printer.h"
#include "backend/run.h"

namespace nlsh {
namespace {

void print_id(Printer& printer, const NetnsIds& names, const nlmsghdr& message) {
    const Attributes<NETNSA_MAX> attributes(attribute_bytes<rtgenmsg>(message));
    const Attribute id = attributes[NETNSA_NSID];
    const Attribute current = attributes[NETNSA_CURRENT_NSID];
    if (message.nlmsg_type != RTM_NEWNSID || !id) return;
    printer.open_object();
    if (id.as<int32_t>() < 0) {
        printer.text("nsid unassigned ");
    } else {
        printer.signed_number("nsid", "nsid ", id.as<int32_t>(), " ");
    }
    if (current && current.as<int32_t>() < 0) {
        printer.text("current-nsid unassigned ");
    } else if (current) {
        printer.signed_number("current-nsid", "current-nsid ", current.as<int32_t>(), " ");
    }
    if (const std::string* name = names.name((current ? current : id).as<int32_t>())) {
        printer.string("name", "(iproute2 netns name: ", *name, ")");
    }
    printer.text("\n");
    printer.close_object();
}

}  // namespace

ExitStatus run(Context& context, const Options& options, const NetnsList&) {
    Channel& channel = TRY(open_channel(context, options));
    const auto names = netns_names();
    if (!names) return 0;
    Printer printer(*context.out, options);
    printer.begin_document();
    for (const std::string& name : *names) {
        const auto id = netns_id(channel, name);
        if (!id && context.fall_back("netns list: not a namespace")) return 1;
        printer.open_object();
        printer.string("name", {}, name, {});
        if (id.value_or(-1) >= 0) printer.signed_number("id", " (id: ", *id, ")");
        printer.text("\n");
        printer.close_object();
    }
    printer.end_document();
    return 0;
}

ExitStatus run(Context& context, const Options& options, const NetnsListId& request) {
    Channel& channel = TRY(open_channel(context, options));
    NetnsIds names(channel);
    if (!names.load() && context.fall_back("netns list-id: not a namespace")) return 1;
    Message message(RTM_GETNSID, 0, rtgenmsg{});
    if (request.target) {
        message.put_u32(NETNSA_TARGET_NSID, static_cast<uint32_t>(*request.target));
    }
    if (request.id) message.put_u32(NETNSA_NSID, static_cast<uint32_t>(*request.id));
    Printer printer(*context.out, options);
    printer.begin_document();
    const auto print = [&](const nlmsghdr& answer) {
        print_id(printer, names, answer);
        return true;
    };
    const Verdict verdict = request.id ? channel.get(message, print) : channel.dump(message, print);
    if (!verdict.ok() && !context.fall_back("netns list-id: refused")) {
        if (request.id) return print_verdict(context, verdict) ? 0 : 2;
        print_dump_verdict(context, verdict);
        printer.end_document();
        print_dump_terminated(context);
        return 1;
    }
    if (context.fallback) return 1;
    printer.end_document();
    return 0;
}

ExitStatus run(Context& context, const Options& options, const NetnsSet& request) {
    Channel& channel = TRY(open_channel(context, options));
    const Descriptor file = open_file(netns_path(request.name).c_str());
    if (!file) {
        const auto silent = options.traits[Trait::netns_set_silent];
        if (silent == Traits::Answer::unknown && context.fall_back("netns set: no namespace"))
            return 1;
        if (silent == Traits::Answer::yes) return 1;
        print_error(context, fmt::format("Cannot open network namespace \"{}\": {}\n", request.name,
                                         std::strerror(errno)));
        return 1;
    }
    if (!is_network_namespace(file.get()) && context.fall_back("netns set: not a namespace")) {
        return 1;
    }
    Message message(RTM_NEWNSID, 0, rtgenmsg{});
    message.put_u32(NETNSA_FD, static_cast<uint32_t>(file.get()));
    message.put_u32(NETNSA_NSID, static_cast<uint32_t>(request.id));
    return send_unechoed(context, options, channel, message);
}

}  // namespace nlsh
