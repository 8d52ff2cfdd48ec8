#include "backend/names/master.h"

#include <fmt/format.h>
#include <linux/if_link.h>

#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/net/attributes.h"

namespace nlsh {

namespace {

bool is_vrf_link(const nlmsghdr& message) {
    const Attributes<IFLA_MAX> link(attribute_bytes<ifinfomsg>(message));
    const Attributes<IFLA_INFO_MAX> info(link[IFLA_LINKINFO]);
    return info[IFLA_INFO_KIND] && info[IFLA_INFO_KIND].string() == "vrf";
}

uint32_t vrf_index(Channel& channel, std::string_view name) {
    Message message(RTM_GETLINK, 0, ifinfomsg{});
    message.put_string(IFLA_IFNAME, name);
    message.put_u32(IFLA_EXT_MASK, RTEXT_FILTER_SKIP_STATS);
    uint32_t index = 0;
    channel.get(message, [&](const nlmsghdr& answer) {
        const auto* link = family_header<ifinfomsg>(answer);
        if (link && is_vrf_link(answer)) index = static_cast<uint32_t>(link->ifi_index);
        return false;
    });
    return index;
}

}  // namespace

std::expected<uint32_t, int> find_master(Context& context, Channel& channel,
                                         const std::string& name, bool is_vrf) {
    if (name.empty()) return 0U;
    const uint32_t index = is_vrf ? vrf_index(channel, name) : find_device(channel, name);
    if (index != 0) return index;
    print_error(context, fmt::format("Error: argument \"{}\" is wrong: {}\n\n", name,
                                     is_vrf ? "Not a valid VRF name" : "Device does not exist"));
    return std::unexpected(255);
}

}  // namespace nlsh
