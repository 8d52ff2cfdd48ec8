#include "backend/names/master.h"

#include <fmt/format.h>

#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/names/link.h"

namespace nlsh {

std::expected<uint32_t, int> find_master(Context& context, const Options& options, Channel& channel,
                                         const std::string& name, bool must_be_vrf) {
    if (name.empty()) return 0U;
    const uint32_t index = find_device(channel, name);
    if (index != 0 && (!must_be_vrf || is_vrf(channel, index))) return index;
    // A usage error for iproute2: it ends a whole batch.
    if (options.batch && context.hand_over("a wrong master")) return std::unexpected(255);
    print_error(context,
                fmt::format("Error: argument \"{}\" is wrong: {}\n\n", name,
                            must_be_vrf ? "Not a valid VRF name" : "Device does not exist"));
    return std::unexpected(255);
}

}  // namespace nlsh
