// ip link add | set | change | replace | delete | property.
//
// The request is a message as data: the parser encodes what it knows. Devices remain names, which
// are looked up in this order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace nlsh {

struct LinkAttribute;

// A u32 attribute that holds a device's ifindex.
struct LinkDevice {
    // Decides iproute2's text for a missing device.
    enum class Role : uint8_t {
        plain,   // Cannot find device "x", 1
        strict,  // the same, but status 255
        master,  // argument "x" is wrong: Device does not exist, 255
        vrf,  // argument "x" is wrong: Not a valid VRF name, 255; also for other kinds of devices
    };
    std::string name;
    Role role = Role::plain;
    bool sent = true;  // false: only look it up
    bool operator==(const LinkDevice&) const = default;
};

// Nested attributes, after a structure if there is one (the ifinfomsg of a veth's peer).
struct LinkNest {
    std::string header;
    std::vector<LinkAttribute> attributes;
    bool operator==(const LinkNest&) const;
};

// An attribute of a kind's data in a change: the link's value, with the bits of `mask` from
// `value`.
struct LinkKept {
    std::string value;      // if the link has none; empty: send nothing then, unless it is a flag
    std::string mask = {};  // empty: no bits
    bool last = false;      // if the link has it, iproute2 sends nothing after it
    bool flag = false;      // send it even if the link has none
    bool nonzero = false;   // don't send zeros
    bool operator==(const LinkKept&) const = default;
};

// A descriptor of a network namespace: `name` is a file below /run/netns, a path, or a process.
struct LinkNetns {
    std::string name;
    bool operator==(const LinkNetns&) const = default;
};
// Whether the meaning depends on the caller: a path (with a slash), or a number, which is a process
// unless a namespace has this name.
bool depends_on_viewer(const LinkNetns& netns);

struct LinkAttribute {
    uint16_t type = 0;
    // string: the payload's bytes.
    std::variant<std::string, LinkDevice, LinkNest, LinkKept, LinkNetns> value;
    bool operator==(const LinkAttribute&) const = default;
};

inline bool LinkNest::operator==(const LinkNest& other) const {
    return header == other.header && attributes == other.attributes;
}

struct LinkChange {
    enum class Action : uint8_t { change, remove, add_property, remove_property };

    Action action = Action::change;
    bool create = false;     // NLM_F_CREATE
    bool exclusive = false;  // NLM_F_EXCL
    bool replace = false;    // NLM_F_REPLACE
    bool append = false;     // NLM_F_APPEND
    std::string device;    // looked up after devices in `attributes`; empty: a new link or a group
    uint32_t ifindex = 0;  // `index N` of a new link
    uint32_t flags = 0;    // ifi_flags
    uint32_t change = 0;   // ifi_change: the bits of `flags` to change
    std::optional<uint8_t>
        address_size;  // size of a new `address`, which must match the existing link's
    std::vector<LinkAttribute> attributes;  // sent before the device's look-up
    std::vector<LinkAttribute> info;  // IFLA_LINK, IFLA_IFNAME, IFLA_LINKINFO: after the look-up
};

}  // namespace nlsh
