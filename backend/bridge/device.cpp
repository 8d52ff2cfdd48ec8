#include "backend/bridge/device.h"

#include <fmt/format.h>

#include "backend/errors.h"

namespace nlsh {

int cannot_find_bridge_device(Context& context, std::string_view name) {
    print_error(context, fmt::format("Cannot find bridge device \"{}\"\n", name));
    return 255;
}

int dump_terminated(Context& context, const Verdict& verdict) {
    if (print_dump_verdict(context, verdict)) return 0;
    print_error(context, "Dump terminated\n");
    return 1;
}

}  // namespace nlsh
