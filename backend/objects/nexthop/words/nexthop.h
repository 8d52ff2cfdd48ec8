// `ip nexthop`: requests.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "backend/objects/route/words/encap.h"
#include "parser/ip/arguments.h"
#include "parser/ip/field.h"
#include "parser/ip/verb.h"

namespace nlsh {

// One path of a group.
struct NexthopMember {
    uint32_t id = 0;
    uint16_t weight_minus_1 = 0;
    bool operator==(const NexthopMember&) const = default;
};

struct NexthopChange {
    ChangeVerb verb = ChangeVerb::add;
    uint8_t family = 0;
    uint8_t protocol = 0;
    uint8_t flags = 0;  // RTNH_F_*
    std::optional<uint32_t> id;
    std::optional<InetPrefix> via;
    std::string device;  // empty: none
    RouteEncap encap;
    bool blackhole = false;
    FieldValues fields;  // of nexthop_fields
    std::vector<NexthopMember> group;
    std::optional<uint16_t> group_type;  // NEXTHOP_GRP_TYPE_*
    FieldValues resilient;               // of resilient_fields
    std::optional<bool> hw_stats;
};

struct NexthopDelete {
    uint32_t id = 0;
};

// Which nexthops, or buckets of resilient groups, a show lists, or a flush deletes.
struct NexthopFilter {
    uint8_t family = 0;
    std::optional<uint32_t> id;
    std::optional<uint32_t> bucket_nexthop;  // for buckets only
    std::string device;
    std::string master;
    bool master_is_vrf = false;
    bool groups = false;
    bool fdb = false;
    std::optional<uint8_t> protocol;
    bool empty() const {
        return !id && device.empty() && master.empty() && !groups && !fdb && !protocol;
    }
};

struct NexthopShow {
    NexthopFilter filter;  // with an id: only this nexthop
};
struct NexthopFlush {
    NexthopFilter filter;
};
struct NexthopBucketShow {
    NexthopFilter filter;
};
struct NexthopBucketGet {
    uint32_t id = 0;
    uint16_t index = 0;
};

}  // namespace nlsh
