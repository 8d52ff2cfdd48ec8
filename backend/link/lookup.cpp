#include "backend/link/lookup.h"

#include <linux/if_link.h>
#include <linux/rtnetlink.h>

#include "backend/net/attributes.h"

namespace nlsh {
namespace {

Verdict get_link(Channel& channel, uint32_t ifindex, const Channel::Receive& receive) {
    ifinfomsg header{};
    header.ifi_index = static_cast<int>(ifindex);
    Message message(RTM_GETLINK, 0, header);
    message.put_u32(IFLA_EXT_MASK, RTEXT_FILTER_SKIP_STATS);
    return channel.get(message, receive);
}

}  // namespace

bool is_vrf(Channel& channel, uint32_t ifindex) {
    bool vrf = false;
    get_link(channel, ifindex, [&](const nlmsghdr& message) {
        const Attributes<IFLA_MAX> link(attribute_bytes<ifinfomsg>(message));
        const Attributes<IFLA_INFO_MAX> info(link[IFLA_LINKINFO]);
        vrf = info[IFLA_INFO_KIND].string() == "vrf";
        return true;
    });
    return vrf;
}

std::expected<size_t, Verdict> link_address_size(Channel& channel, uint32_t ifindex) {
    size_t size = 0;
    auto verdict = get_link(channel, ifindex, [&](const nlmsghdr& message) {
        size = Attributes<IFLA_MAX>(attribute_bytes<ifinfomsg>(message))[IFLA_ADDRESS].size();
        return true;
    });
    if (!verdict.ok()) return std::unexpected(std::move(verdict));
    return size;
}

}  // namespace nlsh
