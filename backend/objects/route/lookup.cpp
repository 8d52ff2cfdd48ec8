#include "backend/objects/route/lookup.h"

#include <fmt/format.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>

#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/names/link.h"

namespace nlsh {

uint32_t find_vrf_table(Channel& channel, std::string_view name) {
    Message message(RTM_GETLINK, 0, ifinfomsg{});
    message.put_string(IFLA_IFNAME, name);
    uint32_t table = 0;
    channel.get(message, [&](const nlmsghdr& answer) {
        table = vrf_table(answer);
        return true;
    });
    return table;
}

uint32_t find_route_table(Channel& channel, std::string_view vrf) {
    const uint32_t table = find_vrf_table(channel, vrf);
    const bool is_main = table == 0 && vrf == "default" && find_device(channel, vrf) == 0;
    return is_main ? uint32_t{RT_TABLE_MAIN} : table;
}

int invalid_vrf(Context& context, std::string_view name) {
    print_error(context, fmt::format("Error: argument \"{}\" is wrong: Invalid VRF\n\n", name));
    return 255;
}

}  // namespace nlsh
