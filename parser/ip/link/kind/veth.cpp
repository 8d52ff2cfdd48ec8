#include <linux/can/vxcan.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <linux/veth.h>

#include "parser/ip/link/kind/kind.h"
#include "parser/ip/link/options.h"
#include "parser/ip/refusal.h"

namespace nlsh {
namespace {

static_assert(int{VXCAN_INFO_PEER} == int{VETH_INFO_PEER});

// The peer has the options of any link; its nest begins with its own ifinfomsg.
Parsed<void> read_peer(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    OptionScope peer(scope.context(), true);
    if (const auto read = read_link_options(peer, arguments); !read) return read;
    if (arguments.take_if("type")) {  // the veth's own was the first
        const auto type = arguments.value("type");
        if (!type) return std::unexpected(type.error());
        return duplicate("type", *type);
    }
    const LinkHead& head = peer.head();
    const auto name = new_link_name(head);
    if (!name) return std::unexpected(name.error());
    if (!head.link.empty()) {
        if (const auto put = peer.put(IFLA_LINK, LinkDevice{head.link}); !put) return put;
    }
    if (!name->empty()) {
        if (const auto put = peer.put(IFLA_IFNAME, *name + '\0'); !put) return put;
    }
    ifinfomsg header{};
    header.ifi_index = static_cast<int>(head.ifindex);
    header.ifi_flags = head.flags;
    header.ifi_change = head.change;
    LinkNest nest{{reinterpret_cast<const char*>(&header), sizeof header},
                  std::move(peer.attributes())};
    return scope.put(option.attribute, std::move(nest));
}

constexpr LinkOption options[] = {{"peer", VETH_INFO_PEER, read_peer, 0, {}, Spelling::exact}};

}  // namespace

const LinkKind veth_kind{"veth", options};
const LinkKind vxcan_kind{"vxcan", options};

}  // namespace nlsh
