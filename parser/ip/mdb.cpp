#include "parser/ip/mdb.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <linux/if_bridge.h>

#include <algorithm>

#include "parser/ip/bridge_values.h"
#include "parser/ip/command.h"
#include "parser/ip/take_last.h"

namespace nlsh {
namespace {

constexpr uint32_t max_vid = UINT16_MAX;  // the kernel refuses those above 4094

// inet_pton's forms only, unlike elsewhere.
std::optional<GroupAddress> inet_address(std::string_view word) {
    const std::string text(word);
    GroupAddress address;
    for (const auto& [family, size] : {std::pair{AF_INET, 4}, std::pair{AF_INET6, 16}}) {
        if (inet_pton(family, text.c_str(), address.bytes.data()) != 1) continue;
        address.family = static_cast<uint8_t>(family);
        address.size = static_cast<uint8_t>(size);
        return address;
    }
    return std::nullopt;
}

Parsed<GroupAddress> parse_group(std::string_view word) {
    if (const auto address = inet_address(word)) return *address;
    const auto mac = parse_link_address(word);
    if (!mac) return std::unexpected(mac.error());
    if (mac->size != MacAddress{}.size()) return declined("mdb: not six bytes");
    GroupAddress address;
    address.size = mac->size;
    std::ranges::copy(mac->span(), address.bytes.begin());
    return address;
}

Parsed<GroupAddress> parse_source(std::string_view word) {
    if (const auto address = inet_address(word)) return *address;
    return declined(fmt::format("mdb: source {}", word));
}

Parsed<uint32_t> parse_vid(std::string_view word) {
    return parse_decimal(word, max_vid);
}

Parsed<void> parse_change_word(Arguments& arguments, MdbChange& change) {
    const std::string_view word = arguments.take();
    if (word == "dev") return take_last(arguments, word, change.device, parse_device);
    if (word == "grp") return take_once(arguments, word, change.group, parse_group);
    if (word == "port") return take_last(arguments, word, change.port, parse_device);
    if (word == "vid") return take_once(arguments, word, change.vid, parse_vid);
    if (word == "src") return take_once(arguments, word, change.source, parse_source);
    if (word == "permanent") {
        change.state = MDB_PERMANENT;
        return {};
    }
    if (word == "temp") return {};
    // bridge skips words that it doesn't know.
    if (matches(word, "help")) return declined("verb help");
    return {};
}

template <bool Add>
Parsed<ObjectResult> parse_change(ParseContext&, Arguments arguments) {
    MdbChange change;
    change.add = Add;
    while (!arguments.empty()) {
        if (auto parsed = parse_change_word(arguments, change); !parsed) {
            return std::unexpected(parsed.error());
        }
    }
    if (change.device.empty() || change.port.empty() || change.group.size == 0) {
        return refused("Device, group address and port name are required arguments.\n");
    }
    return ObjectResult{std::move(change), Add ? "add" : "delete", false};
}

Parsed<ObjectResult> parse_show(ParseContext& context, Arguments arguments) {
    // A filter stays for the lines after it (facts, 1.6).
    if (context.options.batch) return declined("mdb show in a batch");
    MdbShow show;
    while (!arguments.empty()) {
        const std::string_view word = arguments.take();
        Parsed<void> parsed;  // other words don't count
        if (word == "dev") parsed = take_single(arguments, word, show.device, parse_device);
        if (word == "vid") parsed = take_once(arguments, word, show.vid, parse_vid);
        if (!parsed) return std::unexpected(parsed.error());
    }
    return ObjectResult{std::move(show), "show", true};
}

constexpr Verb verbs[] = {
    {"add", parse_change<true>}, {"delete", parse_change<false>},
    {"show", parse_show},        {"lst", parse_show},
    {"list", parse_show},
};

}  // namespace

Parsed<ObjectResult> parse_mdb(ParseContext& context, Arguments arguments) {
    return parse_verb(context, arguments, verbs, parse_show);
}

}  // namespace nlsh
