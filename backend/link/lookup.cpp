#include "backend/link/lookup.h"

#include <linux/if_link.h>

#include "backend/names/link.h"
#include "backend/net/attributes.h"

namespace nlsh {
std::expected<size_t, Verdict> link_address_size(Channel& channel, uint32_t ifindex) {
    size_t size = 0;
    auto verdict =
        ask_link(channel, ifindex, RTEXT_FILTER_SKIP_STATS, [&](const nlmsghdr& message) {
            size = Attributes<IFLA_MAX>(attribute_bytes<ifinfomsg>(message))[IFLA_ADDRESS].size();
            return true;
        });
    if (!verdict.ok()) return std::unexpected(std::move(verdict));
    return size;
}

}  // namespace nlsh
