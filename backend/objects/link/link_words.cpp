#include "backend/objects/link/link_words.h"

#include <linux/if.h>
#include <linux/if_arp.h>

#include <algorithm>
#include <iterator>

namespace nlsh {
namespace {

constexpr LinkFlag flags[] = {
    {IFF_LOOPBACK, "LOOPBACK"},   {IFF_BROADCAST, "BROADCAST"},   {IFF_POINTOPOINT, "POINTOPOINT"},
    {IFF_MULTICAST, "MULTICAST"}, {IFF_NOARP, "NOARP"},           {IFF_ALLMULTI, "ALLMULTI"},
    {IFF_PROMISC, "PROMISC"},     {IFF_MASTER, "MASTER"},         {IFF_SLAVE, "SLAVE"},
    {IFF_DEBUG, "DEBUG"},         {IFF_DYNAMIC, "DYNAMIC"},       {IFF_AUTOMEDIA, "AUTOMEDIA"},
    {IFF_PORTSEL, "PORTSEL"},     {IFF_NOTRAILERS, "NOTRAILERS"}, {IFF_UP, "UP"},
    {IFF_LOWER_UP, "LOWER_UP"},   {IFF_DORMANT, "DORMANT"},       {IFF_ECHO, "ECHO"},
};

constexpr std::string_view operstates[] = {"UNKNOWN", "NOTPRESENT", "DOWN", "LOWERLAYERDOWN",
                                           "TESTING", "DORMANT",    "UP"};

struct TypeName {
    uint16_t type;
    std::string_view name;
};
constexpr TypeName types[] = {
    {ARPHRD_ETHER, "ether"}, {ARPHRD_LOOPBACK, "loopback"},
    {ARPHRD_NONE, "none"},   {ARPHRD_PPP, "ppp"},
    {ARPHRD_TUNNEL, "ipip"}, {ARPHRD_TUNNEL6, "tunnel6"},
    {ARPHRD_SIT, "sit"},     {ARPHRD_IPGRE, "gre"},
    {ARPHRD_IP6GRE, "gre6"}, {ARPHRD_INFINIBAND, "infiniband"},
};

}  // namespace

std::span<const LinkFlag> link_flags() {
    return flags;
}

uint32_t known_link_flags() {
    uint32_t known = IFF_RUNNING;
    for (const LinkFlag& flag : flags)
        known |= flag.bit;
    return known;
}

std::optional<std::string_view> operstate_name(uint8_t state) {
    if (state >= std::size(operstates)) return {};
    return operstates[state];
}

std::optional<std::string_view> link_type_name(uint16_t type) {
    const auto* place = std::ranges::find(types, type, &TypeName::type);
    if (place == std::end(types)) return {};
    return place->name;
}

}  // namespace nlsh
