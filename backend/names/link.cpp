#include "backend/names/link.h"

#include <linux/if_link.h>

#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/net/attributes.h"

namespace nlsh {
namespace {

// Whether the device is a VRF.
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

}  // namespace

Verdict ask_link(Channel& channel, uint32_t ifindex, uint32_t extensions,
                 const Channel::Receive& receive) {
    ifinfomsg header{};
    header.ifi_index = static_cast<int>(ifindex);
    Message message(RTM_GETLINK, 0, header);
    message.put_u32(IFLA_EXT_MASK, extensions);
    return channel.get(message, receive);
}

uint32_t vrf_table(const nlmsghdr& message) {
    const Attributes<IFLA_MAX> link(attribute_bytes<ifinfomsg>(message));
    const Attributes<IFLA_INFO_MAX> info(link[IFLA_LINKINFO]);
    if (info[IFLA_INFO_KIND].string() != "vrf") return 0;
    return Attributes<IFLA_VRF_MAX>(info[IFLA_INFO_DATA])[IFLA_VRF_TABLE].u32();
}

std::expected<uint32_t, int> find_master(Context& context, const Options& options, Channel& channel,
                                         const std::string& name, bool must_be_vrf) {
    if (name.empty()) return 0U;
    const uint32_t index = find_device(channel, name);
    if (index != 0 && (!must_be_vrf || is_vrf(channel, index))) return index;
    if (!must_be_vrf) return std::unexpected(not_a_device(context, options, name));
    return std::unexpected(wrong_argument(context, options, name, "Not a valid VRF name\n"));
}

}  // namespace nlsh
