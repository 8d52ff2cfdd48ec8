#include "backend/objects/route/nexthops.h"

#include <linux/nexthop.h>

#include "backend/objects/nexthop/query.h"

namespace nlsh {

const nlmsghdr* NexthopObjects::find(uint32_t id) {
    const auto [place, fresh] = known_.try_emplace(id);
    auto& message = place->second;
    if (fresh) {
        const auto channel = options_.batch ? context_.session.rtnl() : context_.session.loose();
        if (!channel) {
            context_.fall_back("nexthops: no second socket");
            return nullptr;
        }
        Message request(RTM_GETNEXTHOP, 0, nhmsg{});
        request.put_u32(NHA_ID, id);
        put_nexthop_statistics(request, options_, true);
        (*channel)->get(request, [&](const nlmsghdr& answer) {
            if (answer.nlmsg_type == RTM_NEWNEXTHOP) message.emplace(answer);
            return true;
        });
    }
    return message ? &**message : nullptr;
}

}  // namespace nlsh
