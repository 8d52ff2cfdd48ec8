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
    if (!must_be_vrf) return std::unexpected(not_a_device(context, options, name));
    return std::unexpected(wrong_argument(context, options, name, "Not a valid VRF name\n"));
}

}  // namespace nlsh
