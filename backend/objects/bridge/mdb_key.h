// The key of an entry of a multicast database.
#pragma once

#include <arpa/inet.h>
#include <linux/if_bridge.h>
#include <linux/if_ether.h>
#include <sys/socket.h>

#include <cstring>

#include "backend/objects/bridge/words/mdb.h"

namespace nlsh {

inline br_mdb_entry mdb_key(const GroupAddress& group, uint32_t vid) {
    br_mdb_entry entry{};
    entry.vid = static_cast<uint16_t>(vid);
    entry.addr.proto = group.family == AF_INET    ? htons(ETH_P_IP)
                       : group.family == AF_INET6 ? htons(ETH_P_IPV6)
                                                  : uint16_t{0};  // a MAC address
    std::memcpy(&entry.addr.u, group.bytes.data(), group.size);
    return entry;
}

}  // namespace nlsh
