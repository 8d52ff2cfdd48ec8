#include "parser/ip/bridge/mdb.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <linux/if_bridge.h>

#include <algorithm>

#include "parser/ip/bridge/values.h"
#include "parser/ip/command.h"
#include "parser/ip/lenient_values.h"
#include "parser/ip/lookup_refusal.h"
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
    if (short_address_size(word)) return refused(fmt::format("Invalid address \"{}\"\n", word));
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
    return refused(fmt::format("Invalid source address \"{}\"\n", word));
}

Parsed<uint32_t> parse_vid(std::string_view word) {
    return parse_decimal(word, max_vid);
}

// Addresses as they are written: bridge reads them when it has looked up the devices.
struct Addresses {
    std::optional<std::string> group;
    std::optional<std::string> source;
};

Parsed<std::optional<std::string>> keep_text(std::string_view word) {
    return std::optional(std::string(word));
}

Parsed<void> read_addresses(const Addresses& addresses, MdbChange& change) {
    const auto group = parse_group(*addresses.group);
    if (!group) return std::unexpected(group.error());
    change.group = *group;
    if (!addresses.source) return {};
    const auto source = parse_source(*addresses.source);
    if (!source) return std::unexpected(source.error());
    change.source = *source;
    return {};
}

Parsed<void> parse_change_word(Arguments& arguments, MdbChange& change, Addresses& addresses) {
    const std::string_view word = arguments.take();
    if (word == "dev") return take_last(arguments, word, change.device, parse_device);
    if (word == "grp") return take_once(arguments, word, addresses.group, keep_text);
    if (word == "port") return take_last(arguments, word, change.port, parse_device);
    if (word == "vid") return take_once(arguments, word, change.vid, parse_vid);
    if (word == "src") return take_once(arguments, word, addresses.source, keep_text);
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
    Addresses addresses;
    while (!arguments.empty()) {
        if (auto parsed = parse_change_word(arguments, change, addresses); !parsed) {
            return std::unexpected(parsed.error());
        }
    }
    if (change.device.empty() || change.port.empty() || !addresses.group) {
        return refused("Device, group address and port name are required arguments.\n");
    }
    if (auto read = read_addresses(addresses, change); !read) {
        return refused_after({change.device, change.port}, read.error());
    }
    return ObjectResult{std::move(change), Add ? "add" : "delete", false};
}

Parsed<ObjectResult> parse_show(ParseContext& context, Arguments arguments) {
    // A filter stays for the lines after it.
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
