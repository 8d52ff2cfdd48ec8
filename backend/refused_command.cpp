// Commands that iproute2 refuses while it reads the words.
#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/run.h"
#include "parser/ip/refusal.h"

namespace nlsh {

ExitStatus run(Context& context, const Options& options, const RefusedCommand& request) {
    for (const auto& [device, missing] : request.lookups) {
        Channel& channel = TRY(open_channel(context, options));
        if (find_device(channel, device) != 0) continue;
        if (missing.empty()) return cannot_find_device(context, options, device);
        print_error(context, missing);
        return 255;
    }
    print_error(context, request.message);
    return request.status;
}

}  // namespace nlsh
