#include "backend/link/kind_rules.h"

#include <linux/if_link.h>
#include <linux/if_tunnel.h>

#include <algorithm>

#include "backend/errors.h"
#include "backend/net/attributes.h"

namespace nlsh {
namespace {

constexpr int usage_error = 255;

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

// The first byte of an attribute as it is sent.
uint8_t sent_byte(const LinkAttributeList& data, uint16_t type, const std::string& existing) {
    const LinkAttribute* found = find(data, type);
    if (found == nullptr) return 0;
    if (const auto* bytes = std::get_if<std::string>(&found->value)) {
        return bytes->empty() ? 0 : static_cast<uint8_t>(bytes->front());
    }
    const auto* start = reinterpret_cast<const uint8_t*>(existing.data());
    for (const Attribute attribute : AttributeRange({start, existing.size()})) {
        if (attribute.type() == type) return attribute.u8();
    }
    return 0;
}

// A fixed TTL on a tunnel that doesn't discover its path's MTU.
bool lacks_mtu_discovery(const LinkAttributeList& data, const std::string& existing) {
    const auto* start = reinterpret_cast<const uint8_t*>(existing.data());
    const Attributes<IFLA_IPTUN_MAX> old(Bytes{start, existing.size()});
    if (old[IFLA_IPTUN_COLLECT_METADATA]) return false;
    return sent_byte(data, IFLA_IPTUN_TTL, existing) != 0 &&
           sent_byte(data, IFLA_IPTUN_PMTUDISC, existing) == 0;
}

}  // namespace

int check_kind_rules(Context& context, const LinkChange& request,
                     const std::optional<LinkKindData>& existing) {
    const LinkAttributeList* info = nest(request.info, IFLA_LINKINFO);
    const LinkAttributeList* data = info == nullptr ? nullptr : nest(*info, IFLA_INFO_DATA);
    const LinkAttribute* word = data == nullptr ? nullptr : find(*info, IFLA_INFO_KIND);
    if (word == nullptr) return 0;
    const auto& kind = std::get<std::string>(word->value);
    if (existing && existing->kind != kind &&
        context.hand_over("a tunnel's options for a " + existing->kind)) {
        return usage_error;
    }
    if (kind == "vxlan" && request.create && find(*data, IFLA_VXLAN_PORT) == nullptr) {
        print_error(context,
                    "vxlan: destination port not specified\n"
                    "Will use Linux kernel default (non-standard value)\n"
                    "Use 'dstport 4789' to get the IANA assigned value\n"
                    "Use 'dstport 0' to get default and quiet this message\n");
    }
    if ((kind == "ipip" || kind == "sit") && existing &&
        lacks_mtu_discovery(*data, existing->data)) {
        print_error(context, "ttl != 0 and nopmtudisc are incompatible\n");
        return usage_error;
    }
    return 0;
}

}  // namespace nlsh
