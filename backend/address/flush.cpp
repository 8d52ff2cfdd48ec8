// `ip address flush dev X`: rounds of a dump and deletions, until a round finds nothing.
#include "backend/address/addresses.h"
#include "backend/errors.h"
#include "backend/link/lookup.h"
#include "backend/run.h"

namespace nlsh {

namespace {

constexpr int max_rounds = 10;

Message deletion(const nlmsghdr& address) {
    Message message(RTM_DELADDR, 0, *family_header<ifaddrmsg>(address));
    for (const Attribute attribute : AttributeRange(attribute_bytes<ifaddrmsg>(address))) {
        message.put(attribute.type(), attribute.bytes());
    }
    return message;
}

// How many addresses were deleted, or the exit status.
std::expected<size_t, int> flush_round(Context& context, Channel& channel,
                                       const AddressFilter& filter, uint32_t ifindex) {
    AddressTable table;
    if (!print_dump_verdict(context, dump_addresses(channel, filter.family, ifindex, table))) {
        print_error(context, "Flush terminated\n");
        return std::unexpected(1);
    }
    DeviceNames devices(channel);
    size_t deleted = 0;
    for (const LinkMessage& address : table[ifindex]) {
        if (!address_matches(Address(*address), filter, devices)) continue;
        context.commit();
        // A secondary address may have gone with its primary one: no error.
        Message message = deletion(*address);
        channel.change(message);
        deleted++;
    }
    return deleted;
}

}  // namespace

int run(Context& context, const Options&, const AddressFlush& request) {
    const auto channel = context.session.rtnl();
    if (!channel) return cannot_open_socket(context, channel.error());
    const std::string& device = request.filter.links.device;
    const uint32_t ifindex = find_device(**channel, device);
    if (ifindex == 0) return device_does_not_exist(context, device);
    for (int round = 1; round <= max_rounds; round++) {
        const auto deleted = flush_round(context, **channel, request.filter, ifindex);
        if (!deleted) return deleted.error();
        if (*deleted == 0) break;
    }
    return 0;
}

}  // namespace nlsh
