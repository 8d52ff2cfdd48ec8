// ip link add | set | change | replace | delete | property.
//
// The request is the message's contents as data: what is known at parse time is encoded, devices
// are names, to be looked up in the order in which they stand here.
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
    // Decides on iproute2's text for a missing device.
    enum class Role : uint8_t {
        plain,   // Cannot find device "x", 1
        strict,  // the same, 255
        master,  // argument "x" is wrong: Device does not exist, 255
        vrf,  // argument "x" is wrong: Not a valid VRF name, 255; also for other kinds of devices
    };
    std::string name;
    Role role = Role::plain;
    bool sent = true;  // false: only looked up
    bool operator==(const LinkDevice&) const = default;
};

// Nested attributes, after a structure's bytes if there is one (the ifinfomsg of a veth's peer).
struct LinkNest {
    std::string header;
    std::vector<LinkAttribute> attributes;
    bool operator==(const LinkNest&) const;
};

// A kind's data when an existing link is changed: the link's, with the bits of `mask` from `value`.
struct LinkKept {
    std::string value;      // where the link has none; empty: not sent then, unless it is a flag
    std::string mask = {};  // empty: no bits
    bool last = false;      // if the link has it, iproute2 sends nothing after it
    bool flag = false;      // sent whatever the link has
    bool nonzero = false;   // not sent when it is all zeros
    bool operator==(const LinkKept&) const = default;
};

// An attribute that holds a descriptor of a network namespace, which has this name below
// /run/netns.
struct LinkNetns {
    std::string name;
    bool operator==(const LinkNetns&) const = default;
};
// Whether the meaning depends on who looks: a path (with a slash), or a number, which is a process
// unless a namespace has that name.
bool depends_on_viewer(const LinkNetns& netns);

struct LinkAttribute {
    uint16_t type = 0;
    // A string: the payload's bytes.
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
    std::string device;    // looked up after those in `attributes`; empty: a new link, or a group's
    uint32_t ifindex = 0;  // `index N` of a new link
    uint32_t flags = 0;    // ifi_flags
    uint32_t change = 0;   // ifi_change: the bits of `flags` that were named
    std::optional<uint8_t>
        address_size;  // `address` of an existing link: its size must be the link's
    std::vector<LinkAttribute> attributes;  // before the device's lookup
    std::vector<LinkAttribute> info;        // IFLA_LINK, IFLA_IFNAME, IFLA_LINKINFO: after it
};

}  // namespace nlsh
