#include <linux/can/vxcan.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <linux/veth.h>

#include "backend/objects/link/words/kind.h"
#include "backend/objects/link/words/options.h"
#include "parser/ip/refusal.h"
#include "parser/try.h"

namespace nlsh {
namespace {

static_assert(int{VXCAN_INFO_PEER} == int{VETH_INFO_PEER});

// The peer takes the options of any link. Its nest starts with an ifinfomsg of its own.
Parsed<void> read_peer(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    OptionScope peer(scope.context(), true);
    TRY(read_link_options(peer, arguments));
    const LinkHead& head = peer.head();
    const auto name = TRY(new_link_name(peer, arguments));
    if (arguments.take_if("type")) {  // the first `type` was the veth's own
        const auto type = TRY(arguments.value("type"));
        return duplicate("type", type);
    }
    if (!head.link.empty()) {
        TRY(peer.put(IFLA_LINK, LinkDevice{head.link}));
    }
    if (!name.empty()) {
        TRY(peer.put(IFLA_IFNAME, name + '\0'));
    }
    ifinfomsg header{};
    header.ifi_index = static_cast<int>(head.ifindex);
    header.ifi_flags = head.flags;
    header.ifi_change = head.change;
    LinkNest nest{{reinterpret_cast<const char*>(&header), sizeof header},
                  std::move(peer.attributes())};
    return scope.put(row.attribute, std::move(nest));
}

constexpr LinkRow rows[] = {
    {.word = "peer", .attribute = VETH_INFO_PEER, .codec = {read_peer}, .exact = true}};

}  // namespace

extern constexpr LinkKind veth_kind{.name = "veth", .rows = rows};
extern constexpr LinkKind vxcan_kind{.name = "vxcan", .rows = rows};

}  // namespace nlsh
