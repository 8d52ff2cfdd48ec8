// bridge fdb (bridge(8)): requests.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "backend/objects/bridge/words/values.h"
#include "parser/ip/arguments.h"
#include "parser/ip/field.h"
#include "parser/ip/verb.h"

namespace nlsh {

class Request;
struct ParseContext;

// bridge fdb add, append, replace, del.
struct FdbChange {
    ChangeVerb verb = ChangeVerb::add;
    std::optional<MacAddress> address;
    std::string device;
    uint8_t flags = 0;   // NTF_*
    uint16_t state = 0;  // NUD_*
    std::optional<InetPrefix> destination;
    std::optional<uint32_t> vlan;
    uint32_t nexthop = 0;             // 0: none
    std::optional<uint8_t> protocol;  // RTPROT_*
    FieldValues fields;               // of fdb_fields
    uint8_t activity = 0;             // FDB_NOTIFY_*
    bool no_refresh = false;
    std::string via;
};

// bridge fdb flush.
struct FdbFlush {
    std::string device;
    std::string port;  // empty: not said
    std::optional<uint32_t> vlan;
    std::optional<InetPrefix> destination;
    std::optional<uint32_t> vni;
    std::optional<uint32_t> source_vni;
    std::optional<uint32_t> nexthop;
    std::optional<uint16_t> udp_port;
    uint8_t flags = 0;  // NTF_*
    uint8_t flags_mask = 0;
    uint16_t state = 0;  // NUD_*
    uint16_t state_mask = 0;
};

struct FdbShow {
    std::string bridge;
    std::string device;
    uint32_t vlan = 0;   // 0: all
    uint32_t state = 0;  // NUD_*, any of them; 0: all
    bool dynamic = false;
};

struct FdbGet {
    std::optional<MacAddress> address;
    std::string bridge;
    std::string device;
    std::optional<uint32_t> vlan;
    std::optional<uint32_t> vni;
    uint8_t flags = 0;  // NTF_*
    bool dynamic = false;
};

// The words of a flush.
Parsed<Request> parse_fdb_flush(ParseContext&, Arguments);

}  // namespace nlsh
