#include "parser/ip/maddress/maddress.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "parser/ip/bridge/values.h"
#include "parser/ip/command.h"
#include "parser/ip/lenient_values.h"

namespace nlsh {
namespace {

Parsed<std::optional<LinkAddress>> parse_six_bytes(std::string_view word) {
    const auto address = parse_link_address(word);
    const auto size = address ? std::optional<size_t>(address->size) : short_address_size(word);
    if (size && *size != 6) {
        return refused(fmt::format("Error: Invalid address length {} - must be 6 bytes\n", *size),
                       1);
    }
    if (!address) return std::unexpected(address.error());
    return std::optional(*address);
}

template <bool Add>
Parsed<ObjectResult> parse_change(ParseContext&, Arguments arguments) {
    std::string device;
    std::optional<LinkAddress> address;
    while (!arguments.empty()) {
        if (arguments.take_if("dev")) {
            const auto parsed = take_single(arguments, "dev", device, parse_device);
            if (!parsed) return std::unexpected(parsed.error());
            continue;
        }
        if (matches(arguments.peek(), "help")) return declined("maddress: help");
        if (matches(arguments.peek(), "address")) arguments.take();
        const auto parsed = take_single(arguments, "address", address, parse_six_bytes);
        if (!parsed) return std::unexpected(parsed.error());
    }
    if (device.empty()) return refused("Not enough information: \"dev\" is required.\n");
    MaddressChange change{.add = Add, .device = std::move(device)};
    if (address) std::ranges::copy(address->span(), change.address.begin());
    return ObjectResult{std::move(change), Add ? "add" : "delete", false};
}

Parsed<ObjectResult> parse_show(ParseContext&, Arguments arguments) {
    MaddressShow show;
    if (!arguments.empty()) {
        const bool keyword = arguments.take_if("dev");
        if (!keyword && matches(arguments.peek(), "help")) return declined("maddress: help");
        if (auto parsed = take_once(arguments, "dev", show.device, parse_device); !parsed) {
            return std::unexpected(parsed.error());
        }
    }
    if (!arguments.empty()) {
        arguments.take_if("dev");
        const auto word = arguments.value("dev");
        if (!word) return std::unexpected(word.error());
        return matches(*word, "help") ? declined("maddress: help") : garbage("dev", *word);
    }
    return ObjectResult{std::move(show), "show", true};
}

constexpr Verb verbs[] = {
    {"add", parse_change<true>}, {"delete", parse_change<false>},
    {"list", parse_show},        {"show", parse_show},
    {"lst", parse_show},
};

}  // namespace

Parsed<ObjectResult> parse_maddress(ParseContext& context, Arguments arguments) {
    ParseContext named{.options = context.options,
                       .names = context.names,
                       .kinds = context.kinds,
                       .object = "ip maddr"};
    return parse_verb(named, arguments, verbs, parse_show);
}

}  // namespace nlsh
