// One address as text or JSON.
#pragma once

#include <linux/if_addr.h>

#include "backend/names/devices.h"
#include "backend/net/attributes.h"
#include "backend/render/printer.h"

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

struct AddressRenderer {
    Printer& printer;
    DeviceNames& devices;
    const NameTables& names;
    bool with_device = false;  // as -o does

    // False: a part of it can't be printed exactly.
    bool print(const Address& address) const;

  private:
    void prefix(const Address& address) const;
    bool flags(const Address& address) const;
    bool protocol(const Address& address) const;
    void lifetimes(const Address& address) const;
    void details(const Address& address) const;
};

}  // namespace nlsh
