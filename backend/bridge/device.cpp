#include "backend/bridge/device.h"

#include <fmt/format.h>

#include "backend/errors.h"

namespace nlsh {

int cannot_find_bridge_device(Context& context, const Options&, std::string_view name) {
    print_error(context, fmt::format("Cannot find bridge device \"{}\"\n", name));
    return 255;
}

}  // namespace nlsh
