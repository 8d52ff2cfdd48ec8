// bridge mdb (bridge(8)): requests.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "parser/ip/verb.h"

namespace nlsh {

// A multicast group or a source: an IPv4 or IPv6 address, or a MAC address (AF_UNSPEC).
struct GroupAddress {
    uint8_t family = 0;
    uint8_t size = 0;
    std::array<uint8_t, 16> bytes{};
    bool operator==(const GroupAddress&) const = default;
};

// The destination to which a VXLAN entry sends a group's packets.
struct MdbRemote {
    std::optional<GroupAddress> destination;
    std::map<uint16_t, uint32_t> numbers;  // values of mdb_numbers by MDBE_ATTR_*
    std::string via;                       // empty: not given
    bool operator==(const MdbRemote&) const = default;
};

// bridge mdb add, replace, del.
struct MdbChange {
    ChangeVerb verb = ChangeVerb::add;
    std::string device;
    std::string port;
    GroupAddress group;
    std::optional<GroupAddress> source;
    std::optional<uint8_t> filter_mode;  // MCAST_INCLUDE, MCAST_EXCLUDE
    std::vector<GroupAddress> sources;
    uint8_t protocol = 0;  // 0: not given
    uint8_t state = 0;     // MDB_TEMPORARY, MDB_PERMANENT
    uint32_t vid = 0;
    MdbRemote remote;
};

// bridge mdb flush: deletes the entries that match all given values.
struct MdbFlush {
    std::string device;
    std::string port;  // empty: any
    uint32_t vid = 0;  // 0: any
    std::optional<bool> permanent;
    uint8_t protocol = 0;  // 0: any
    MdbRemote remote;      // `via` is unused
};

// bridge mdb get: one entry, possibly with several ports.
struct MdbGet {
    std::string device;
    GroupAddress group;
    std::optional<GroupAddress> source;
    std::optional<uint32_t> source_vni;
    uint32_t vid = 0;
};

struct MdbShow {
    std::string device;  // empty: all bridges
    uint32_t vid = 0;    // 0: all
};

}  // namespace nlsh
