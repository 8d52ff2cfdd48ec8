#include "backend/objects/token/words/token.h"
#include "parser/ip/refusal.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>

#include "parser/ip/command.h"
#include "parser/try.h"

namespace nlsh {
namespace {

// `dev DEV` and nothing more: iproute2 skips unknown words and stops after the device.
Parsed<std::string> parse_only_device(Arguments arguments) {
    const auto is_dev = [](const std::string& word) { return word == "dev"; };
    if (std::ranges::none_of(arguments.rest(), is_dev)) {
        return refused("Not enough information: \"dev\" argument is required.\n", 1);
    }
    if (!arguments.take_if("dev")) return declined("token: words before the device");
    const auto word = TRY(arguments.value("dev"));
    if (!arguments.empty()) return declined("token: words after the device");
    return parse_device(word);
}

Parsed<Request> set(std::array<uint8_t, 16> token, Arguments arguments) {
    auto device = TRY(parse_only_device(arguments));
    return TokenSet{token, std::move(device)};
}

Parsed<Request> parse_set(ParseContext&, Arguments arguments) {
    constexpr const char* missing = "Not enough information: token is required.\n";
    if (arguments.empty()) return refused(missing, 1);
    // iproute2 looks up the device before it complains about a missing token.
    if (arguments.peek() == "dev") return declined("token: a device before the token");
    const std::string_view word = arguments.take();
    // The prefix length is ignored.
    const auto address = parse_prefix(word, AF_INET6);
    if (!address && address.error().bad_value && is_plain_value(word) && !word.contains('/')) {
        return refused(fmt::format("Error: inet6 prefix is expected rather than \"{}\".\n", word),
                       1);
    }
    if (!address) return std::unexpected(unexplained(address.error()));
    if (address->size != 16) return declined("token: no address");
    return set(address->bytes, arguments);
}

Parsed<Request> parse_delete(ParseContext&, Arguments arguments) {
    return set({}, arguments);
}

Parsed<Request> parse_show(ParseContext& context, Arguments arguments) {
    TokenShow show;
    // Without a device, this shows all.
    const Words words = arguments.rest();
    if (std::ranges::any_of(words, [](const auto& word) { return matches(word, "help"); })) {
        return declined("verb help");
    }
    if (std::ranges::find(words, "dev") != words.end()) {
        auto device = parse_only_device(arguments);
        if (!device) return std::unexpected(unexplained(device.error()));
        show.device = std::move(*device);
    }
    if (!show.device.empty()) context.is.not_in_batch = leaves_filter;
    return show;
}

constexpr Verb verbs[] = {
    {.words = {"show", "list", "lst"}, .parse = parse_show, .is = shows},
    {.words = {"set", "add"}, .parse = parse_set},
    {.words = {"delete"}, .parse = parse_delete},
    {.words = {"get"}, .parse = parse_show, .is = shows},
};

}  // namespace

const Object token_object{.words = {"token"}, .name = "token", .verbs = {verbs}};

}  // namespace nlsh
