// ip token set, delete, show.
#include <linux/if.h>
#include <linux/if_link.h>
#include <sys/socket.h>

#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/net/attributes.h"
#include "backend/objects/token/words/token.h"
#include "backend/render/format.h"
#include "backend/render/printer.h"
#include "backend/run.h"

namespace nlsh {
namespace {

void print_token(Printer& printer, const nlmsghdr& message, uint32_t device) {
    const auto* header = family_header<ifinfomsg>(message);
    if (header == nullptr || header->ifi_family != AF_INET6) return;
    if (device != 0 && static_cast<uint32_t>(header->ifi_index) != device) return;
    if ((header->ifi_flags & (IFF_LOOPBACK | IFF_NOARP)) != 0) return;
    const Attributes<IFLA_MAX> link(attribute_bytes<ifinfomsg>(message));
    const Attributes<IFLA_INET6_MAX> inet6(link[IFLA_PROTINFO]);
    const Attribute token = inet6[IFLA_INET6_TOKEN];
    if (!token) return;
    printer.open_object();
    printer.string(Color::inet6, "token", "token ", format_address(AF_INET6, token.bytes()), {});
    printer.text(" dev ");
    printer.string(Color::ifname, "ifname", {}, link[IFLA_IFNAME].string(), "\n");
    printer.close_object();
}

}  // namespace

ExitStatus run(Context& context, const Options& options, const TokenSet& request) {
    Channel& channel = TRY(open_channel(context, options));
    auto header = of_family<ifinfomsg>(AF_INET6);
    header.ifi_index = static_cast<int>(
        TRY(require_device(context, options, channel, request.device, invalid_device)));
    Message message(RTM_SETLINK, 0, header);
    const size_t families = message.begin_nest(IFLA_AF_SPEC);
    const size_t inet6 = message.begin_nest(AF_INET6);
    message.put(IFLA_INET6_TOKEN, request.token);
    message.end_nest(inet6);
    message.end_nest(families);
    return send_unechoed(context, options, channel, message);
}

ExitStatus run(Context& context, const Options& options, const TokenShow& request) {
    Channel& channel = TRY(open_channel(context, options));
    const uint32_t device =
        TRY(find_wanted_device(context, options, channel, request.device, invalid_device));
    Message message(RTM_GETLINK, 0, of_family<ifinfomsg>(AF_INET6));
    Printer printer(*context.out, options);
    printer.begin_document();
    const Verdict verdict = channel.dump(message, [&](const nlmsghdr& answer) {
        print_token(printer, answer, device);
        return printer.flush_if_large();
    });
    return end_dump(context, printer, verdict, 255);
}

}  // namespace nlsh
