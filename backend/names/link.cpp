#include "backend/names/link.h"

#include <linux/if_link.h>

#include "backend/net/attributes.h"

namespace nlsh {

Verdict ask_link(Channel& channel, uint32_t ifindex, uint32_t extensions,
                 const Channel::Receive& receive) {
    ifinfomsg header{};
    header.ifi_index = static_cast<int>(ifindex);
    Message message(RTM_GETLINK, 0, header);
    message.put_u32(IFLA_EXT_MASK, extensions);
    return channel.get(message, receive);
}

bool is_vrf(Channel& channel, uint32_t ifindex) {
    bool vrf = false;
    ask_link(channel, ifindex, RTEXT_FILTER_SKIP_STATS, [&](const nlmsghdr& answer) {
        const Attributes<IFLA_MAX> link(attribute_bytes<ifinfomsg>(answer));
        const Attributes<IFLA_INFO_MAX> info(link[IFLA_LINKINFO]);
        vrf = info[IFLA_INFO_KIND].string() == "vrf";
        return true;
    });
    return vrf;
}

}  // namespace nlsh
