#include "backend/names/devices.h"

#include <fmt/format.h>

#include "parser/ip/arguments.h"

namespace nlsh {

uint32_t find_device(Channel& channel, std::string_view name) {
    if (const uint32_t ifindex = channel.ifindex(name); ifindex != 0) return ifindex;
    return number_of_device(name);
}

std::expected<uint32_t, int> require_device(Context& context, const Options& options,
                                            Channel& channel, std::string_view name,
                                            MissingDevice missing) {
    const uint32_t ifindex = find_device(channel, name);
    if (ifindex == 0) return std::unexpected(missing(context, options, name));
    return ifindex;
}

std::expected<uint32_t, int> find_wanted_device(Context& context, const Options& options,
                                                Channel& channel, std::string_view name,
                                                MissingDevice missing) {
    if (name.empty()) return 0;
    return require_device(context, options, channel, name, missing);
}

int invalid_device(Context& context, const Options& options, std::string_view name) {
    return wrong_argument(context, options, name, "dev is invalid\n");
}

int not_a_device(Context& context, const Options& options, std::string_view name) {
    return wrong_argument(context, options, name, "Device does not exist\n");
}

std::string_view DeviceNames::name(uint32_t ifindex) {
    if (last_name_ != nullptr && last_ == ifindex) return *last_name_;
    auto& [name, known] = names_[ifindex];
    if (!known) {
        name = channel_.ifname(ifindex);
        known = !name.empty();
        if (!known) return name = fmt::format("if{}", ifindex);
    }
    last_ = ifindex;
    last_name_ = &name;
    return name;
}

void DeviceNames::learn(uint32_t ifindex, std::string_view name) {
    Name& present = names_[ifindex];
    if (!present.known) present = {std::string(name), true};
}

std::string lower_name(DeviceNames& names, uint32_t lower, bool elsewhere) {
    if (lower == 0) return "NONE";
    if (elsewhere) return fmt::format("if{}", lower);
    return std::string(names.name(lower));
}

}  // namespace nlsh
