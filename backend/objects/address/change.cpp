// `ip address add|change|replace|del`: one RTM_NEWADDR or RTM_DELADDR.
#include <fmt/format.h>
#include <linux/if_addr.h>

#include "backend/echo/echo.h"
#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/objects/address/words/address.h"
#include "backend/render/format.h"
#include "backend/run.h"

namespace nlsh {
namespace {

void put_optional(Message& message, uint16_t type, const std::optional<InetPrefix>& address) {
    if (address) message.put(type, address->span());
}

Message build(const AddressChange& request, uint32_t ifindex) {
    auto header = of_family<ifaddrmsg>(request.family);
    header.ifa_prefixlen = request.bits;
    header.ifa_scope = request.scope;
    header.ifa_index = ifindex;
    if (request.flags <= UINT8_MAX) header.ifa_flags = static_cast<uint8_t>(request.flags);
    Message message(request.verb == ChangeVerb::remove ? RTM_DELADDR : RTM_NEWADDR,
                    flags_of(request.verb), header);
    message.put(IFA_LOCAL, request.local.span());
    if (!request.wildcard) message.put(IFA_ADDRESS, request.address.span());
    if (request.protocol) message.put_u8(IFA_PROTO, *request.protocol);
    put_optional(message, IFA_BROADCAST, request.broadcast);
    put_optional(message, IFA_ANYCAST, request.anycast);
    if (request.label) message.put_string(IFA_LABEL, *request.label);
    if (request.metric) message.put_u32(IFA_RT_PRIORITY, *request.metric);
    if (request.flags > UINT8_MAX) message.put_u32(IFA_FLAGS, request.flags);
    if (request.lifetimes) {
        const ifa_cacheinfo lifetimes{.ifa_prefered = request.lifetimes->preferred,
                                      .ifa_valid = request.lifetimes->valid,
                                      .cstamp = 0,
                                      .tstamp = 0};
        message.put(IFA_CACHEINFO, &lifetimes, sizeof lifetimes);
    }
    return message;
}

void warn_of_wildcard(Context& context, const InetPrefix& address) {
    print_error(context,
                fmt::format("Warning: Executing wildcard deletion to stay compatible with old "
                            "scripts.\n"
                            "         Explicitly specify the prefix length ({}/{}) to avoid this "
                            "warning.\n"
                            "         This special behaviour is likely to disappear in further "
                            "releases,\n"
                            "         fix your scripts!\n",
                            format_address(address.family, address.span()).view(), address.bits));
}

}  // namespace

ExitStatus run(Context& context, const Options& options, const AddressChange& request) {
    Channel& channel = TRY(open_channel(context, options));
    if (request.wildcard) warn_of_wildcard(context, request.local);
    const uint32_t ifindex = TRY(require_device(context, options, channel, request.device));
    Message message = build(request, ifindex);
    return send_change(context, options, channel, message);
}

}  // namespace nlsh
