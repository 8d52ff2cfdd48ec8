#include "backend/objects/link/lookup.h"

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

std::expected<LinkKindData, Verdict> link_kind_data(Channel& channel, uint32_t ifindex) {
    LinkKindData found;
    auto verdict =
        ask_link(channel, ifindex, RTEXT_FILTER_SKIP_STATS, [&](const nlmsghdr& message) {
            const Attributes<IFLA_MAX> link(attribute_bytes<ifinfomsg>(message));
            const Attributes<IFLA_INFO_DATA> info(link[IFLA_LINKINFO]);
            const Bytes bytes = info[IFLA_INFO_DATA] ? info[IFLA_INFO_DATA].bytes() : Bytes{};
            found.data.assign(bytes.begin(), bytes.end());
            if (info[IFLA_INFO_KIND]) found.kind = info[IFLA_INFO_KIND].string();
            return true;
        });
    if (!verdict.ok()) return std::unexpected(std::move(verdict));
    return found;
}

}  // namespace nlsh
