#include "backend/names/master.h"

#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/names/link.h"

namespace nlsh {

std::expected<uint32_t, int> find_master(Context& context, const Options& options, Channel& channel,
                                         const std::string& name, bool must_be_vrf) {
    if (name.empty()) return 0U;
    const uint32_t index = find_device(channel, name);
    if (index != 0 && (!must_be_vrf || is_vrf(channel, index))) return index;
    return std::unexpected(
        wrong_argument(context, options, name,
                       must_be_vrf ? "Not a valid VRF name\n" : "Device does not exist\n"));
}

}  // namespace nlsh
