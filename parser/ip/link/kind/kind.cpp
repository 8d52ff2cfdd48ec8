#include "parser/ip/link/kind/kind.h"

#include <linux/if_link.h>

#include <algorithm>

#include "parser/ip/refusal.h"

namespace nlsh {
namespace {

constexpr const LinkKind* kinds[] = {
    &bond_kind,      &bond_slave_kind, &bridge_kind,  &bridge_slave_kind, &erspan_kind,
    &geneve_kind,    &gre_kind,        &gretap_kind,  &ip6erspan_kind,    &ip6gre_kind,
    &ip6gretap_kind, &ip6tnl_kind,     &ipip_kind,    &ipvlan_kind,       &ipvtap_kind,
    &macsec_kind,    &macvlan_kind,    &macvtap_kind, &sit_kind,          &veth_kind,
    &vlan_kind,      &vxcan_kind,      &vrf_kind,     &vti_kind,          &vti6_kind,
    &vxlan_kind,
};

// Kinds that iproute2 knows but for options: it skips the words.
constexpr std::string_view plain_kinds[] = {"dummy", "ifb", "nlmon", "team"};

}  // namespace

Parsed<LinkAttribute> parse_link_info(const ParseContext& context, bool create,
                                      Arguments& arguments) {
    const auto name = arguments.value("type");
    if (!name) return std::unexpected(name.error());
    LinkNest info;
    info.attributes.push_back({IFLA_INFO_KIND, std::string(*name)});
    if (arguments.empty()) return LinkAttribute{IFLA_LINKINFO, std::move(info)};

    if (std::ranges::find(plain_kinds, *name) != std::end(plain_kinds)) {
        const auto is_help = [](const std::string& word) { return matches(word, "help"); };
        if (std::ranges::any_of(arguments.rest(), is_help)) return declined("link: help");
        info.attributes.push_back({IFLA_INFO_DATA, LinkNest{}});
        return LinkAttribute{IFLA_LINKINFO, std::move(info)};
    }
    // A kind without a row may have options all the same: its words are the real ip's to read.
    const auto kind = std::ranges::find(kinds, *name, &LinkKind::name);
    if (kind == std::end(kinds)) return declined("link: options of this type are not native");
    OptionScope scope(context, create);
    auto read = read_options(scope, (*kind)->options, arguments);
    if (read && (*kind)->finish != nullptr) read = (*kind)->finish(scope);
    if (!read) {
        const bool asked = !create && (*kind)->asks_first;
        return std::unexpected(asked ? unexplained(read.error()) : read.error());
    }
    const bool slave = name->ends_with("_slave");
    info.attributes.push_back({slave ? uint16_t{IFLA_INFO_SLAVE_DATA} : uint16_t{IFLA_INFO_DATA},
                               LinkNest{"", std::move(scope.attributes())}});
    return LinkAttribute{IFLA_LINKINFO, std::move(info)};
}

}  // namespace nlsh
