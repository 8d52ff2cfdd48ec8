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

std::expected<size_t, Verdict> link_address_size(Channel& channel, uint32_t ifindex) {
    size_t size = 0;
    auto verdict = get_link(channel, ifindex, [&](const nlmsghdr& message) {
        size = Attributes<IFLA_MAX>(attribute_bytes<ifinfomsg>(message))[IFLA_ADDRESS].size();
        return true;
    });
    if (!verdict.ok()) return std::unexpected(std::move(verdict));
    return size;
}

std::expected<std::string, Verdict> link_kind_data(Channel& channel, uint32_t ifindex) {
    std::string data;
    auto verdict = get_link(channel, ifindex, [&](const nlmsghdr& message) {
        const Attributes<IFLA_MAX> link(attribute_bytes<ifinfomsg>(message));
        const Attributes<IFLA_INFO_DATA> info(link[IFLA_LINKINFO]);
        const Bytes bytes = info[IFLA_INFO_DATA] ? info[IFLA_INFO_DATA].bytes() : Bytes{};
        data.assign(bytes.begin(), bytes.end());
        return true;
    });
    if (!verdict.ok()) return std::unexpected(std::move(verdict));
    return data;
}

}  // namespace nlsh
