#include "backend/objects/link/query.h"

#include <linux/if.h>
#include <linux/if_link.h>

#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/names/link.h"
#include "parser/try.h"

namespace nlsh {
namespace {

uint32_t extension_mask(bool statistics) {
    return RTEXT_FILTER_VF | (statistics ? 0U : RTEXT_FILTER_SKIP_STATS);
}

// Keeps the answer to a request for one link.
template <typename Ask>
std::expected<KeptMessage, Verdict> kept(Ask ask) {
    std::optional<KeptMessage> link;
    const Verdict verdict = ask([&](const nlmsghdr& message) {
        link.emplace(message);
        return true;
    });
    if (!link) return std::unexpected(verdict);
    return *std::move(link);
}

}  // namespace

std::expected<KeptMessage, Verdict> get_link(Channel& channel, std::string_view name,
                                             bool statistics) {
    Message request(RTM_GETLINK, 0, ifinfomsg{});
    request.put_string(IFLA_IFNAME, name);
    request.put_u32(IFLA_EXT_MASK, extension_mask(statistics));
    return kept([&](const auto& receive) { return channel.get(request, receive); });
}

std::expected<KeptMessage, Verdict> get_link(Channel& channel, uint32_t ifindex, bool statistics) {
    return kept([&](const auto& receive) {
        return ask_link(channel, ifindex, extension_mask(statistics), receive);
    });
}

std::expected<KeptMessage, int> find_link(Context& context, const Options& options,
                                          Channel& channel, std::string_view name,
                                          std::string_view no_answer) {
    auto link = get_link(channel, name, options.statistics > 0);
    bool missing = false;
    if (!link && link.error().error == ENODEV) {
        missing = find_device(channel, name) == 0;
        if (!missing) link = get_link(channel, name, options.statistics > 0);
    }
    if (link) return *std::move(link);
    // `if7` is a device's number: iproute2 looks for a device of this name and fails.
    if (!missing && context.fall_back(std::string(no_answer))) return std::unexpected(1);
    return std::unexpected(device_does_not_exist(context, options, name));
}

bool LinkFilter::is_of_another_group(const nlmsghdr& message) const {
    const auto* header = family_header<ifinfomsg>(message);
    if (!group || header == nullptr) return false;
    const Attributes<IFLA_GROUP> link(attribute_bytes<ifinfomsg>(message));
    return link[IFLA_GROUP] && link[IFLA_GROUP].u32() != *group;
}

bool LinkFilter::passes(const nlmsghdr& message) const {
    const auto* header = family_header<ifinfomsg>(message);
    if (header == nullptr) return false;
    const bool is_up = (header->ifi_flags & IFF_UP) != 0;
    if ((up && !is_up) || (down && is_up)) return false;
    if (is_of_another_group(message)) return false;
    if (master == 0 && kind.empty() && slave_kind.empty()) return true;
    const Attributes<IFLA_MAX> link(attribute_bytes<ifinfomsg>(message));
    if (master != 0 && (!link[IFLA_MASTER] || link[IFLA_MASTER].u32() != master)) return false;
    if (kind.empty() && slave_kind.empty()) return true;
    const Attributes<IFLA_INFO_SLAVE_DATA> info(link[IFLA_LINKINFO]);
    if (!kind.empty() && info[IFLA_INFO_KIND].string() != kind) return false;
    return slave_kind.empty() || info[IFLA_INFO_SLAVE_KIND].string() == slave_kind;
}

std::expected<LinkFilter, int> resolve_filter(Context& context, const Options& options,
                                              Channel& channel, const LinkSelection& selection) {
    LinkFilter filter{.up = selection.up,
                      .down = selection.down,
                      .no_functions = selection.no_functions,
                      .group = selection.group,
                      .nomaster = selection.nomaster,
                      .kind = selection.kind,
                      .slave_kind = selection.slave_kind};
    filter.master = TRY(find_master(context, options, channel, selection.master, false));
    const uint32_t vrf = TRY(find_master(context, options, channel, selection.vrf, true));
    if (vrf != 0) filter.master = vrf;
    return filter;
}

Message link_dump_request(const LinkFilter& filter, bool statistics) {
    Message request(RTM_GETLINK, 0, of_family<ifinfomsg>(AF_PACKET));
    const uint32_t hidden = filter.no_functions ? uint32_t{RTEXT_FILTER_VF} : 0;
    request.put_u32(IFLA_EXT_MASK, extension_mask(statistics) & ~hidden);
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
