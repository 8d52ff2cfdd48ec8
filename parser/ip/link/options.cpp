#include "parser/ip/link/options.h"
#include "parser/ip/stats/stats.h"

#include <fmt/format.h>
#include <linux/if.h>
#include <linux/if_link.h>
#include <sys/socket.h>

#include <cerrno>
#include <climits>

#include "parser/ip/bridge/values.h"
#include "parser/ip/link/netns.h"
#include "parser/ip/refusal.h"

namespace nlsh {
namespace {

constexpr std::string_view link_modes[] = {"default", "dormant"};
constexpr std::string_view operstates[] = {"unknown", "notpresent", "down", "lowerlayerdown",
                                           "testing", "dormant",    "up"};
constexpr std::string_view address_modes[] = {"eui64", "none", "stable_secret", "random"};
constexpr uint32_t max_segments = 65535;  // iproute2 refuses more itself
constexpr size_t max_alias = 255;

// A name that no device has; longer ones may be another name of one.
Parsed<std::string> parse_own_name(std::string_view keyword, std::string_view word) {
    if (word.empty() || word.contains('/') || (keyword == "name" && word.size() > 15)) {
        return refused(fmt::format("Error: argument \"{}\" is wrong: \"{}\" not a valid ifname\n",
                                   word, keyword));
    }
    return parse_device(word);
}

Parsed<void> read_string(Arguments& arguments, const LinkOption& option, std::string& into) {
    const auto word = arguments.value(option.word);
    if (!word) return std::unexpected(word.error());
    if (!into.empty() && option.word == "name") return duplicate("name", *word);
    if (!into.empty()) return declined("link: an option is repeated");
    const bool named = option.word == "dev" || option.word == "name";
    auto name = named ? parse_own_name(option.word, *word) : parse_device(*word);
    if (!name) return std::unexpected(name.error());
    into = std::move(*name);
    return {};
}

Parsed<void> read_dev(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    return read_string(arguments, option, scope.head().device);
}
Parsed<void> read_new_name(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    return read_string(arguments, option, scope.head().name);
}
Parsed<void> read_lower(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    return read_string(arguments, option, scope.head().link);
}

// atoi gives 0.
bool is_no_index(std::string_view word) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if (word.empty()) return true;
    if (word.front() == '0') return word.size() == 1 || !is_digit(word[1]);
    return !is_digit(word.front()) && is_plain_value(word.substr(0, 1));
}

Parsed<void> read_index(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    const auto word = arguments.value(option.word);
    if (!word) return std::unexpected(word.error());
    if (scope.head().ifindex != 0) return duplicate("index", *word);
    if (is_no_index(*word)) {
        return refused(
            fmt::format("Error: argument \"{}\" is wrong: Invalid \"index\" value\n", *word));
    }
    const auto index = parse_decimal(*word, INT_MAX);
    if (!index || *index == 0) return declined("link: bad index");
    scope.head().ifindex = *index;
    return {};
}

// up | down: the flag is the parameter, the attribute says whether it is set.
Parsed<void> set_state(OptionScope& scope, const LinkOption& option, Arguments&) {
    scope.head().set_flag(option.parameter, option.attribute != 0);
    return {};
}
// KEYWORD on | off: with an attribute of 1 the flag says the opposite.
Parsed<void> read_flag(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    const auto word = arguments.value(option.word);
    if (!word) return std::unexpected(word.error());
    const auto on = parse_on_off(*word);
    if (!on) {
        return refused(
            fmt::format("Error: argument of \"{}\" must be \"on\" or \"off\", not \"{}\"\n",
                        option.word, *word),
            1);
    }
    scope.head().set_flag(option.parameter, *on == (option.attribute == 0));
    return {};
}

// A table's value, wrong: the status is the error's number.
Parsed<void> read_switch(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    auto read = read_on_off(scope, option, arguments);
    if (!read && read.error().status == 1) read.error().status = EINVAL;
    return read;
}

Parsed<void> read_segments(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    const auto word = arguments.value(option.word);
    if (!word) return std::unexpected(word.error());
    const auto count = parse_u32(*word, max_segments);
    if (!count) return std::unexpected(count.error());
    return scope.put_number(option.attribute, *count);
}

Parsed<void> read_group(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    const auto word = arguments.value(option.word);
    if (!word) return std::unexpected(word.error());
    auto group = scope.context().names.value(NameKind::group, *word);
    if (!group) group = truncated_group(*word);
    if (!group && parse_u64(*word)) return declined("link: group");
    if (!group || *group > INT_MAX) return unreadable(*word, "link: unknown group");
    return scope.put_number(option.attribute, *group);
}

Parsed<void> read_alias(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    const auto word = arguments.value(option.word);
    if (!word) return std::unexpected(word.error());
    if (word->size() > max_alias) return declined("link: alias too long");
    return scope.put(option.attribute, std::string(*word));
}

Parsed<void> read_parent(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    const auto word = arguments.value(option.word);
    if (!word) return std::unexpected(word.error());
    return scope.put(option.attribute, std::string(*word) + '\0');
}

Parsed<void> set_nomaster(OptionScope& scope, const LinkOption& option, Arguments&) {
    return scope.put_number(option.attribute, uint32_t{0});
}

Parsed<void> read_address_mode(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    const auto word = arguments.value(option.word);
    if (!word) return std::unexpected(word.error());
    const auto mode = name_index(option.names, *word);
    if (!mode) return std::unexpected(mode.error());
    const LinkAttribute value{IFLA_INET6_ADDR_GEN_MODE, std::string(1, static_cast<char>(*mode))};
    return scope.put(option.attribute, LinkNest{"", {{AF_INET6, LinkNest{"", {value}}}}});
}

// A name, a path, or a process: the latter two as the caller sees them (only_in_process). A batch
// may send the request later, when the descriptor is closed.
Parsed<void> read_netns(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    const auto word = arguments.value(option.word);
    if (!word) return std::unexpected(word.error());
    if (scope.context().options.batch) return declined("link: netns in a batch");
    LinkNetns netns{std::string(*word)};
    if (word->empty() || word->size() > NAME_MAX ||
        (!depends_on_viewer(netns) &&
         std::string_view(".0123456789+- \t").contains(word->front()))) {
        return declined("link: netns isn't a plain name");
    }
    return scope.put(option.attribute, std::move(netns));
}

Parsed<void> decline_option(OptionScope&, const LinkOption& option, Arguments&) {
    return declined("link: " + std::string(option.word) + " is not native");
}

// protodown_reason N on | off; names are left to the real one.
Parsed<void> read_protodown_reason(OptionScope& scope, const LinkOption& option,
                                   Arguments& arguments) {
    constexpr uint32_t max_reason = 31;
    const auto word = arguments.value(option.word);
    if (!word) return std::unexpected(word.error());
    const auto reason = parse_decimal(*word, max_reason);
    if (!reason) return declined("link: reason of protodown");
    const auto state = arguments.value(option.word);
    if (!state) return std::unexpected(state.error());
    const auto on = parse_on_off(*state);
    if (!on) return declined("link: state of a reason of protodown");
    const uint32_t bit = uint32_t{1} << *reason;
    LinkNest nest{"", {}};
    nest.attributes.push_back({IFLA_PROTO_DOWN_REASON_MASK, bytes_of(bit)});
    nest.attributes.push_back({IFLA_PROTO_DOWN_REASON_VALUE, bytes_of(*on ? bit : 0)});
    return scope.put(option.attribute, std::move(nest));
}

constexpr auto exact = Spelling::exact;
constexpr auto plain = static_cast<uint32_t>(LinkDevice::Role::plain);
constexpr auto master = static_cast<uint32_t>(LinkDevice::Role::master);
constexpr auto vrf = static_cast<uint32_t>(LinkDevice::Role::vrf);

// Keywords that take any prefix first: they swallow devices of such names (facts, 1.3).
constexpr LinkOption options[] = {
    {"link", 0, read_lower},
    {"address", IFLA_ADDRESS, read_link_address},
    {"broadcast", IFLA_BROADCAST, read_link_address},
    {"txqueuelen",
     IFLA_TXQLEN,
     read_int,
     0,
     {},
     Spelling::prefix,
     "Invalid \"txqueuelen\" value\n"},
    {"txqlen", IFLA_TXQLEN, read_int, 0, {}, Spelling::prefix, "Invalid \"txqueuelen\" value\n"},
    {"master", IFLA_MASTER, read_device, master},
    {"nomaster", IFLA_MASTER, set_nomaster},
    {"dynamic", 0, read_flag, IFF_DYNAMIC},
    {"alias", IFLA_IFALIAS, read_alias},
    {"numtxqueues",
     IFLA_NUM_TX_QUEUES,
     read_int,
     0,
     {},
     Spelling::prefix,
     "Invalid \"numtxqueues\" value\n"},
    {"numrxqueues",
     IFLA_NUM_RX_QUEUES,
     read_int,
     0,
     {},
     Spelling::prefix,
     "Invalid \"numrxqueues\" value\n"},
    {"addrgenmode", IFLA_AF_SPEC, read_address_mode, 0, address_modes, Spelling::prefix,
     "Invalid address generation mode\n"},
    {"link-netns", 0, decline_option},
    {"link-netnsid",
     IFLA_LINK_NETNSID,
     read_int,
     0,
     {},
     Spelling::prefix,
     "Invalid \"link-netnsid\" value\n"},
    {"help", 0, decline_option},
    {"up", 1, set_state, IFF_UP, {}, exact},
    {"down", 0, set_state, IFF_UP, {}, exact},
    {"dev", 0, read_dev, plain, {}, exact},
    {"name", 0, read_new_name, plain, {}, exact},
    {"index", 0, read_index, 0, {}, exact},
    {"qlen", IFLA_TXQLEN, read_int, 0, {}, exact, "Invalid \"txqueuelen\" value\n"},
    {"brd", IFLA_BROADCAST, read_link_address, 0, {}, exact},
    {"mtu", IFLA_MTU, read_int, 0, {}, exact, "Invalid \"mtu\" value\n"},
    {"vrf", IFLA_MASTER, read_device, vrf, {}, exact},
    {"group", IFLA_GROUP, read_group, 0, {}, exact, "Invalid \"group\" value\n"},
    {"multicast", 0, read_flag, IFF_MULTICAST, {}, exact},
    {"allmulticast", 0, read_flag, IFF_ALLMULTI, {}, exact},
    {"promisc", 0, read_flag, IFF_PROMISC, {}, exact},
    {"trailers", 1, read_flag, IFF_NOTRAILERS, {}, exact},
    {"arp", 1, read_flag, IFF_NOARP, {}, exact},
    {"carrier", IFLA_CARRIER, read_switch, 0, {}, exact},
    {"mode", IFLA_LINKMODE, read_name, 0, link_modes, exact, "Invalid link mode\n"},
    {"state", IFLA_OPERSTATE, read_name, 0, operstates, exact, "Invalid operstate\n"},
    {"protodown", IFLA_PROTO_DOWN, read_switch, 0, {}, exact},
    {"gso_max_size", IFLA_GSO_MAX_SIZE, read_u32, 0, {}, exact, "Invalid \"gso_max_size\" value\n"},
    {"gso_max_segs",
     IFLA_GSO_MAX_SEGS,
     read_segments,
     0,
     {},
     exact,
     "Invalid \"gso_max_segs\" value\n"},
    {"gro_max_size", IFLA_GRO_MAX_SIZE, read_u32, 0, {}, exact, "Invalid \"gro_max_size\" value\n"},
    {"parentdev", IFLA_PARENT_DEV_NAME, read_parent, 0, {}, exact},
    {"protodown_reason",
     IFLA_PROTO_DOWN_REASON | NLA_F_NESTED,
     read_protodown_reason,
     0,
     {},
     exact},
    {"netns", IFLA_NET_NS_FD, read_netns, 0, {}, exact},
    {"vf", 0, decline_option, 0, {}, exact},
    {"xdp", 0, decline_option, 0, {}, exact},
    {"xdpgeneric", 0, decline_option, 0, {}, exact},
    {"xdpdrv", 0, decline_option, 0, {}, exact},
    {"xdpoffload", 0, decline_option, 0, {}, exact},
};

// Those that iproute2 takes once.
Parsed<void> check_repeated(const OptionScope& scope, const LinkOption& option,
                            const Arguments& arguments) {
    constexpr std::pair<uint16_t, std::string_view> once[] = {{IFLA_MTU, "mtu"},
                                                              {IFLA_TXQLEN, "txqueuelen"},
                                                              {IFLA_NUM_TX_QUEUES, "numtxqueues"},
                                                              {IFLA_NUM_RX_QUEUES, "numrxqueues"},
                                                              {IFLA_GROUP, "group"}};
    for (const auto& [attribute, name] : once) {
        if (option.attribute != attribute || !scope.has(attribute) || arguments.empty()) continue;
        return duplicate(name, arguments.peek());
    }
    return {};
}

}  // namespace

Parsed<void> read_link_options(OptionScope& scope, Arguments& arguments) {
    while (!arguments.empty() && arguments.peek() != "type") {
        const std::string_view word = arguments.take();
        if (matches(word, "type")) return declined("link: abbreviation of type");
        const auto option = find_option(options, word);
        if (!option) return std::unexpected(option.error());
        if (*option == nullptr) {
            if (!scope.head().device.empty()) return garbage("dev", word);
            const bool long_name = scope.create() && word.size() > 15 && word.size() < 64 &&
                                   !word.contains('/') && is_plain_value(word);
            auto name = long_name ? Parsed<std::string>(word)  // the kernel refuses it
                                  : parse_own_name("dev", word);
            if (!name) return std::unexpected(name.error());
            scope.head().device = std::move(*name);
            continue;
        }
        if (auto once = check_repeated(scope, **option, arguments); !once) return once;
        if (const auto read = read_option(scope, **option, arguments); !read) return read;
    }
    return {};
}

std::optional<uint32_t> truncated_group(std::string_view word) {
    const auto number = parse_u64(word);
    if (!number || *number <= UINT32_MAX || *number > INT64_MAX) return {};
    const auto group = static_cast<uint32_t>(*number);
    if (group > INT_MAX) return {};
    return group;
}

Parsed<std::string> new_link_name(const LinkHead& head) {
    if (head.name.empty()) return head.device;
    if (!head.device.empty() && head.device != head.name) {
        return refused("both \"name\" and \"dev\" cannot be used when creating devices.\n");
    }
    return head.name;
}

}  // namespace nlsh
