// ip addrlabel add, delete, show, flush.
#include <linux/if_addrlabel.h>
#include <sys/socket.h>

#include <algorithm>
#include <vector>

#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/net/attributes.h"
#include "backend/objects/addrlabel/words/addrlabel.h"
#include "backend/render/numbers.h"
#include "backend/render/printer.h"
#include "backend/run.h"

namespace nlsh {
namespace {

uint8_t family_of(const Options& options) {
    return options.family == AF_UNSPEC ? AF_INET6 : options.family;
}

Message dump_request(const Options& options) {
    return {RTM_GETADDRLABEL, 0, of_family<ifaddrlblmsg>(family_of(options))};
}

void print_label(Printer& printer, DeviceNames& names, const nlmsghdr& message) {
    const auto* header = family_header<ifaddrlblmsg>(message);
    if (message.nlmsg_type != RTM_NEWADDRLABEL || header == nullptr) return;
    const Attributes<IFAL_MAX> attributes(attribute_bytes<ifaddrlblmsg>(message));
    printer.open_object();
    printer.text("prefix ");
    if (const Attribute address = attributes[IFAL_ADDRESS])
        printer.address("address", {}, header->ifal_family, address.bytes(), {});
    printer.number("prefixlen", "/", header->ifal_prefixlen, " ");
    if (header->ifal_index != 0) {
        printer.string(Color::ifname, "ifname", "dev ", names.name(header->ifal_index), " ");
    }
    print_number(printer, attributes[IFAL_LABEL], "label", "label ");
    printer.text("\n");
    printer.close_object();
}

}  // namespace

ExitStatus run(Context& context, const Options& options, const AddrlabelChange& request) {
    Channel& channel = TRY(open_channel(context, options));
    auto header = of_family<ifaddrlblmsg>(family_of(options));
    header.ifal_prefixlen = request.prefix->bits;
    header.ifal_index =
        TRY(find_wanted_device(context, options, channel, request.device, invalid_device));
    Message message(request.verb == ChangeVerb::remove ? RTM_DELADDRLABEL : RTM_NEWADDRLABEL,
                    flags_of(request.verb), header);
    message.put_u32(IFAL_LABEL, *request.label);
    message.put(IFAL_ADDRESS, request.prefix->span());
    return send_unechoed(context, options, channel, message);
}

ExitStatus run(Context& context, const Options& options, const AddrlabelShow&) {
    Channel& channel = TRY(open_channel(context, options));
    Message message = dump_request(options);
    DeviceNames names(channel);
    Printer printer(*context.out, options);
    printer.begin_document();
    const Verdict verdict = channel.dump(message, [&](const nlmsghdr& answer) {
        print_label(printer, names, answer);
        return printer.flush_if_large();
    });
    return end_dump(context, printer, verdict, 255, FailedDump::closed_last);
}

ExitStatus run(Context& context, const Options& options, const AddrlabelFlush&) {
    Channel& channel = TRY(open_channel(context, options));
    Message message = dump_request(options);
    std::vector<KeptMessage> doomed;
    const Verdict verdict = channel.dump(message, [&](const nlmsghdr& answer) {
        if (family_header<ifaddrlblmsg>(answer) != nullptr) doomed.emplace_back(answer);
        return true;
    });
    const bool flushed = print_dump_verdict(context, verdict) &&
                         std::ranges::all_of(doomed, [&](const KeptMessage& label) {
                             context.commit();
                             Message deletion = repeated<ifaddrlblmsg>(RTM_DELADDRLABEL, *label);
                             return print_verdict(context, channel.change(deletion));
                         });
    if (flushed) return 0;
    print_error(context, "Flush terminated\n");
    return 1;
}

}  // namespace nlsh
