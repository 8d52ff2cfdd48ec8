// What iproute2 refuses while it reads the words.
#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/run.h"
#include "parser/ip/refusal.h"

namespace nlsh {

int run(Context& context, const Options& options, const RefusedCommand& request) {
    for (const auto& [device, missing] : request.lookups) {
        const auto channel = context.session.rtnl();
        if (!channel) return cannot_open_socket(context, channel.error());
        if (find_device(**channel, device) != 0) continue;
        if (missing.empty()) return cannot_find_device(context, options.tool, device);
        print_error(context, missing);
        return 255;
    }
    print_error(context, request.message);
    return request.status;
}

}  // namespace nlsh
