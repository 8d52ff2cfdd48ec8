#include "backend/objects/address/addresses.h"

#include <fnmatch.h>

#include "backend/net/prefix.h"

namespace nlsh {

namespace {

// An address without a label counts as labelled with its device's name.
bool label_fits(const std::string& pattern, const Address& address, DeviceNames& devices) {
    const Attribute label = address.attributes[IFA_LABEL];
    const std::string text(label ? label.string() : devices.name(address.header->ifa_index));
    return fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

}  // namespace

bool address_matches(const Address& address, const AddressFilter& filter, DeviceNames& devices) {
    if (filter.family != 0 && filter.family != address.header->ifa_family) return false;
    if (((filter.flags ^ address.flags()) & filter.flag_mask) != 0) return false;
    if (filter.scope && *filter.scope != address.header->ifa_scope) return false;
    if (filter.label && !label_fits(*filter.label, address, devices)) return false;
    const Attribute protocol = address.attributes[IFA_PROTO];
    if (filter.protocol && protocol && protocol.u8() != *filter.protocol) return false;
    const Attribute local = address.local();
    return !filter.to || (local && prefix_contains(*filter.to, local.bytes()));
}

Verdict dump_addresses(Channel& channel, uint8_t family, uint32_t ifindex, AddressTable& table) {
    ifaddrmsg header{};
    header.ifa_family = family;
    header.ifa_index = ifindex;
    Message request(RTM_GETADDR, 0, header);
    return channel.dump(request, [&](const nlmsghdr& message) {
        const auto* address = family_header<ifaddrmsg>(message);
        if (address && (ifindex == 0 || address->ifa_index == ifindex)) {
            table[address->ifa_index].keep(message);
        }
        return true;
    });
}

}  // namespace nlsh
