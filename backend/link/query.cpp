#include "backend/link/query.h"

#include <linux/if.h>
#include <linux/if_link.h>

#include <cstring>

#include "backend/errors.h"
#include "backend/names/link.h"

namespace nlsh {
namespace {

uint32_t extension_mask(bool statistics) {
    return RTEXT_FILTER_VF | (statistics ? 0U : RTEXT_FILTER_SKIP_STATS);
}

// Keeps the answer of a request for one link.
template <typename Ask>
std::expected<LinkMessage, Verdict> kept(Ask ask) {
    std::optional<LinkMessage> link;
    const Verdict verdict = ask([&](const nlmsghdr& message) {
        link.emplace(message);
        return true;
    });
    if (!link) return std::unexpected(verdict);
    return *std::move(link);
}

}  // namespace

LinkMessage::LinkMessage(const nlmsghdr& message)
    : bytes_(std::make_unique_for_overwrite<char[]>(message.nlmsg_len)) {
    std::memcpy(bytes_.get(), &message, message.nlmsg_len);
}

std::expected<LinkMessage, Verdict> get_link(Channel& channel, std::string_view name,
                                             bool statistics) {
    Message request(RTM_GETLINK, 0, ifinfomsg{});
    request.put_string(IFLA_IFNAME, name);
    request.put_u32(IFLA_EXT_MASK, extension_mask(statistics));
    return kept([&](const auto& receive) { return channel.get(request, receive); });
}

std::expected<LinkMessage, Verdict> get_link(Channel& channel, uint32_t ifindex, bool statistics) {
    return kept([&](const auto& receive) {
        return ask_link(channel, ifindex, extension_mask(statistics), receive);
    });
}

bool LinkFilter::passes(const nlmsghdr& message) const {
    const auto* header = family_header<ifinfomsg>(message);
    if (header == nullptr || (up && (header->ifi_flags & IFF_UP) == 0)) return false;
    if (!group && master == 0 && kind.empty() && slave_kind.empty()) return true;
    const Attributes<IFLA_MAX> link(attribute_bytes<ifinfomsg>(message));
    if (group && link[IFLA_GROUP] && link[IFLA_GROUP].u32() != *group) return false;
    if (master != 0 && (!link[IFLA_MASTER] || link[IFLA_MASTER].u32() != master)) return false;
    if (kind.empty() && slave_kind.empty()) return true;
    const Attributes<IFLA_INFO_SLAVE_DATA> info(link[IFLA_LINKINFO]);
    if (!kind.empty() && info[IFLA_INFO_KIND].string() != kind) return false;
    return slave_kind.empty() || info[IFLA_INFO_SLAVE_KIND].string() == slave_kind;
}

std::expected<LinkFilter, int> resolve_filter(Context& context, const Options& options,
                                              Channel& channel, const LinkSelection& selection) {
    LinkFilter filter{.up = selection.up,
                      .group = selection.group,
                      .nomaster = selection.nomaster,
                      .kind = selection.kind,
                      .slave_kind = selection.slave_kind};
    if (!selection.master.empty()) {
        filter.master = channel.ifindex(selection.master);
        if (filter.master == 0) {
            return std::unexpected(
                wrong_argument(context, options, selection.master, "Device does not exist\n"));
        }
    }
    if (!selection.vrf.empty()) {
        filter.master = channel.ifindex(selection.vrf);
        if (filter.master == 0 || !is_vrf(channel, filter.master)) {
            return std::unexpected(
                wrong_argument(context, options, selection.vrf, "Not a valid VRF name\n"));
        }
    }
    return filter;
}

Message link_dump_request(const LinkFilter& filter, bool statistics) {
    ifinfomsg header{};
    header.ifi_family = AF_PACKET;
    Message request(RTM_GETLINK, 0, header);
    request.put_u32(IFLA_EXT_MASK, extension_mask(statistics));
    if (filter.master != 0) request.put_u32(IFLA_MASTER, filter.master);
    if (filter.nomaster) request.put_u32(IFLA_MASTER, UINT32_MAX);
    if (!filter.kind.empty()) {
        const size_t nest = request.begin_nest(IFLA_LINKINFO);
        request.put_bytes(IFLA_INFO_KIND, filter.kind);
        request.end_nest(nest);
    }
    return request;
}

}  // namespace nlsh
