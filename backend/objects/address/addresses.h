// Asks the kernel for addresses of interfaces, and filters them.
#pragma once

#include <linux/if_addr.h>

#include <string>
#include <unordered_map>

#include "backend/names/devices.h"
#include "backend/net/attributes.h"
#include "backend/objects/address/words/address.h"
#include "backend/objects/link/query.h"

namespace nlsh {

// One address; valid as long as its message.
struct Address {
    explicit Address(const nlmsghdr& message)
        : header(family_header<ifaddrmsg>(message)),
          attributes(attribute_bytes<ifaddrmsg>(message)) {}

    uint32_t flags() const {
        return attributes[IFA_FLAGS] ? attributes[IFA_FLAGS].u32() : header->ifa_flags;
    }
    // On a point-to-point link they differ; otherwise the kernel may send only one of them.
    Attribute local() const { return attributes[attributes[IFA_LOCAL] ? IFA_LOCAL : IFA_ADDRESS]; }
    Attribute peer() const { return attributes[attributes[IFA_ADDRESS] ? IFA_ADDRESS : IFA_LOCAL]; }

    const ifaddrmsg* header;  // null: a broken message
    Attributes<IFA_MAX> attributes;
};

// Whether an address passes the filter. Doesn't check the filter's links.
bool address_matches(const Address& address, const AddressFilter& filter, DeviceNames& devices);

// Consecutive copies of messages.
class KeptAddresses {
  public:
    void keep(const nlmsghdr& message) {
        bytes_.append(reinterpret_cast<const char*>(&message), message.nlmsg_len);
        bytes_.append(NLMSG_ALIGN(message.nlmsg_len) - message.nlmsg_len, '\0');
    }
    // Calls give(Address) for each address until it returns true; false: it never did.
    bool any(const auto& give) const {
        for (size_t at = 0; at < bytes_.size();) {
            const auto& message = *reinterpret_cast<const nlmsghdr*>(bytes_.data() + at);
            if (give(Address(message))) return true;
            at += NLMSG_ALIGN(message.nlmsg_len);
        }
        return false;
    }

  private:
    std::string bytes_;
};

// Addresses by ifindex, in the kernel's order.
using AddressTable = std::unordered_map<uint32_t, KeptAddresses>;
// The family's addresses of one device, or of all devices (ifindex 0).
Verdict dump_addresses(Channel& channel, uint8_t family, uint32_t ifindex, AddressTable& table);

}  // namespace nlsh
