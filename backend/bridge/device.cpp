#include "backend/bridge/device.h"

#include <fmt/format.h>

#include <charconv>

#include "backend/errors.h"

namespace nlsh {

uint32_t find_device(Channel& channel, std::string_view name) {
    if (const uint32_t ifindex = channel.ifindex(name); ifindex != 0) return ifindex;
    uint32_t number = 0;
    if (name.starts_with("if")) std::from_chars(name.data() + 2, name.data() + name.size(), number);
    return number;
}

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
