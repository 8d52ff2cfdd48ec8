#include "parser/ip/token.h"

#include <sys/socket.h>

#include "parser/ip/command.h"

namespace nlsh {
namespace {

// `dev DEV` and nothing more: iproute2 skips what it doesn't know and stops after the device.
Parsed<std::string> parse_only_device(Arguments arguments) {
    if (!arguments.take_if("dev")) return declined("token: no dev");
    const auto word = arguments.value("dev");
    if (!word) return std::unexpected(word.error());
    if (!arguments.empty()) return declined("token: words after the device");
    return parse_device(*word);
}

Parsed<ObjectResult> set(std::array<uint8_t, 16> token, Arguments arguments, const char* verb) {
    auto device = parse_only_device(arguments);
    if (!device) return std::unexpected(device.error());
    return ObjectResult{TokenSet{token, std::move(*device)}, verb, false};
}

Parsed<ObjectResult> parse_set(ParseContext&, Arguments arguments) {
    if (arguments.empty()) return declined("token: none");
    const auto address = parse_address(arguments.take(), AF_INET6);
    if (!address) return std::unexpected(address.error());
    if (address->size != 16) return declined("token: no address");
    return set(address->bytes, arguments, "set");
}

Parsed<ObjectResult> parse_delete(ParseContext&, Arguments arguments) {
    return set({}, arguments, "delete");
}

template <bool Get>
Parsed<ObjectResult> parse_show(ParseContext& context, Arguments arguments) {
    TokenShow show;
    if (!arguments.empty()) {
        auto device = parse_only_device(arguments);
        if (!device) return std::unexpected(device.error());
        show.device = std::move(*device);
    }
    // A filter stays for the lines after it (facts, 1.6).
    if (context.options.batch && !show.device.empty()) return declined("token dev in a batch");
    return ObjectResult{std::move(show), Get ? "get" : "show", true};
}

constexpr Verb verbs[] = {
    {"list", parse_show<false>}, {"lst", parse_show<false>}, {"show", parse_show<false>},
    {"set", parse_set},          {"add", parse_set},         {"delete", parse_delete},
    {"get", parse_show<true>},
};

}  // namespace

Parsed<ObjectResult> parse_token(ParseContext& context, Arguments arguments) {
    return parse_verb(context, arguments, verbs, parse_show<false>);
}

}  // namespace nlsh
