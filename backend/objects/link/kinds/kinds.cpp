#include "backend/objects/link/kinds/kinds.h"

#include <linux/if_link.h>

#include <algorithm>

#include "backend/context.h"
#include "backend/objects/link/kinds/check.h"
#include "backend/objects/link/words/kind.h"

// One row for each kind. NAME_kind is in a file of this folder.
// clang-format off
#define NLSH_LINK_KINDS(X) \
    X(bond) \
    X(bond_slave) \
    X(bridge) \
    X(bridge_slave) \
    X(dummy) \
    X(erspan) \
    X(geneve) \
    X(gre) \
    X(gretap) \
    X(ifb) \
    X(ip6erspan) \
    X(ip6gre) \
    X(ip6gretap) \
    X(ip6tnl) \
    X(ipip) \
    X(ipvlan) \
    X(ipvtap) \
    X(macsec) \
    X(macvlan) \
    X(macvtap) \
    X(nlmon) \
    X(sit) \
    X(team) \
    X(team_slave) \
    X(tun) \
    X(vcan) \
    X(veth) \
    X(vlan) \
    X(vrf) \
    X(vrf_slave) \
    X(vti) \
    X(vti6) \
    X(vxcan) \
    X(vxlan)
// clang-format on

namespace nlsh {

#define DECLARE(name) extern const LinkKind name##_kind;
NLSH_LINK_KINDS(DECLARE)
#undef DECLARE
extern const std::span<const BridgePortRow> bridge_port_rows;

namespace {

#define ADDRESS(name) &name##_kind,
constexpr const LinkKind* kinds[] = {NLSH_LINK_KINDS(ADDRESS)};
#undef ADDRESS

using LinkAttributeList = std::vector<LinkAttribute>;

const LinkAttribute* find(const LinkAttributeList& attributes, uint16_t type) {
    const auto found = std::ranges::find(attributes, type, &LinkAttribute::type);
    return found == attributes.end() ? nullptr : &*found;
}

const LinkAttributeList* nest(const LinkAttributeList& attributes, uint16_t type) {
    const LinkAttribute* found = find(attributes, type);
    const auto* value = found == nullptr ? nullptr : std::get_if<LinkNest>(&found->value);
    return value == nullptr ? nullptr : &value->attributes;
}

}  // namespace

LinkKinds link_kinds() {
    return {.kinds = kinds, .bridge_ports = bridge_port_rows};
}

const LinkAttribute* KindChange::find(uint16_t type) const {
    return nlsh::find(data, type);
}

uint8_t KindChange::sent_u8(uint16_t type) const {
    const LinkAttribute* found = find(type);
    if (found == nullptr) return 0;
    if (const auto* bytes = std::get_if<std::string>(&found->value)) {
        return bytes->empty() ? 0 : static_cast<uint8_t>(bytes->front());
    }
    if (existing == nullptr) return 0;
    for (const Attribute attribute : AttributeRange(*existing)) {
        if (attribute.type() == type) return attribute.u8();
    }
    return 0;
}

std::string_view kind_of(const LinkChange& request) {
    const LinkAttributeList* info = nest(request.info, IFLA_LINKINFO);
    const LinkAttribute* word = info == nullptr ? nullptr : find(*info, IFLA_INFO_KIND);
    return word == nullptr ? std::string_view() : std::get<std::string>(word->value);
}

int check_kind(Context& context, const LinkChange& request, const LinkKindData* existing) {
    const LinkAttributeList* info = nest(request.info, IFLA_LINKINFO);
    const LinkAttributeList* data = info == nullptr ? nullptr : nest(*info, IFLA_INFO_DATA);
    const LinkKind* kind = data == nullptr ? nullptr : link_kinds().find(kind_of(request));
    if (kind == nullptr || kind->check == nullptr) return 0;
    Bytes bytes;
    if (existing != nullptr) {
        bytes = {reinterpret_cast<const uint8_t*>(existing->data.data()), existing->data.size()};
    }
    return kind->check(context, {.create = request.create,
                                 .data = *data,
                                 .existing = existing == nullptr ? nullptr : &bytes});
}

}  // namespace nlsh
