#include "backend/names/master.h"

#include <fmt/format.h>
#include <linux/if_link.h>

#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/net/attributes.h"

namespace nlsh {

bool is_vrf(Channel& channel, uint32_t ifindex) {
    ifinfomsg header{};
    header.ifi_index = static_cast<int>(ifindex);
    Message message(RTM_GETLINK, 0, header);
    message.put_u32(IFLA_EXT_MASK, RTEXT_FILTER_SKIP_STATS);
    bool vrf = false;
    channel.get(message, [&](const nlmsghdr& answer) {
        const Attributes<IFLA_MAX> link(attribute_bytes<ifinfomsg>(answer));
        const Attributes<IFLA_INFO_MAX> info(link[IFLA_LINKINFO]);
        vrf = info[IFLA_INFO_KIND].string() == "vrf";
        return true;
    });
    return vrf;
}

std::expected<uint32_t, int> find_master(Context& context, const Options& options, Channel& channel,
                                         const std::string& name, bool must_be_vrf) {
    if (name.empty()) return 0U;
    const uint32_t index = find_device(channel, name);
    if (index != 0 && (!must_be_vrf || is_vrf(channel, index))) return index;
    // A usage error for iproute2: it ends a whole batch.
    if (options.batch && context.hand_over("a wrong master")) return std::unexpected(255);
    print_error(context,
                fmt::format("Error: argument \"{}\" is wrong: {}\n\n", name,
                            must_be_vrf ? "Not a valid VRF name" : "Device does not exist"));
    return std::unexpected(255);
}

}  // namespace nlsh
