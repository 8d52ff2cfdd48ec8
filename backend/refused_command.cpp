// What iproute2 refuses while it reads the words.
#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/run.h"

namespace nlsh {

int run(Context& context, const Options& options, const RefusedCommand& request) {
    for (const std::string_view lookup : request.devices) {
        // A name, and behind a newline what is said when there is none (lookup_refusal.h).
        const size_t end = lookup.find('\n');
        const std::string device(lookup.substr(0, end));
        const auto channel = context.session.rtnl();
        if (!channel) return cannot_open_socket(context, channel.error());
        if (find_device(**channel, device) != 0) continue;
        if (end == lookup.npos) return cannot_find_device(context, options.tool, device);
        print_error(context, lookup.substr(end + 1));
        return 255;
    }
    print_error(context, request.message);
    return request.status;
}

}  // namespace nlsh
