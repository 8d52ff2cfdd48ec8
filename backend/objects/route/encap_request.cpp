#include "backend/objects/route/encap_request.h"

#include "backend/errors.h"
#include "backend/names/devices.h"

namespace nlsh {
namespace {

// iproute2's status when it exits at once.
constexpr int usage_error = 255;

void put_attributes(Message& message, const std::vector<LinkAttribute>& attributes) {
    for (const LinkAttribute& attribute : attributes) {
        if (const auto* bytes = std::get_if<std::string>(&attribute.value)) {
            message.put_bytes(attribute.type, *bytes);
        } else if (const auto* nest = std::get_if<LinkNest>(&attribute.value)) {
            const size_t start = message.begin_nest(attribute.type);
            put_attributes(message, nest->attributes);
            message.end_nest(start);
        }
    }
}

}  // namespace

std::expected<RouteEncap, int> resolve_encap(Context& context, const Options& options,
                                             Channel& channel, const RouteEncap& encap) {
    RouteEncap resolved = encap;
    for (LinkAttribute& attribute : resolved.attributes) {
        const auto* device = std::get_if<LinkDevice>(&attribute.value);
        if (device == nullptr) continue;
        const uint32_t ifindex = find_device(channel, device->name);
        if (ifindex == 0) {
            // iproute2 ends the batch with this error.
            if (!options.batch || !context.fall_back("a wrong device")) {
                cannot_find_device(context, options, device->name);
            }
            return std::unexpected(usage_error);
        }
        attribute.value = std::string(reinterpret_cast<const char*>(&ifindex), sizeof ifindex);
    }
    return resolved;
}

void put_encap(Message& message, const EncapTypes& types, const RouteEncap& encap) {
    if (encap.type == 0) return;
    const size_t nest = message.begin_nest(types.nest | NLA_F_NESTED);
    put_attributes(message, encap.attributes);
    message.end_nest(nest);
    message.put_u16(types.type, encap.type);
}

}  // namespace nlsh
