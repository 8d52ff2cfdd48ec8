#include "backend/objects/link/words/options.h"

#include <fmt/format.h>
#include <linux/if.h>
#include <linux/if_link.h>
#include <sys/socket.h>

#include <cerrno>
#include <climits>

#include "backend/objects/bridge/words/values.h"
#include "parser/ip/newer_kernel.h"
#include "parser/ip/refusal.h"
#include "parser/try.h"

namespace nlsh {
namespace {

constexpr std::string_view link_modes[] = {"default", "dormant"};
constexpr std::string_view operstates[] = {"unknown", "notpresent", "down", "lowerlayerdown",
                                           "testing", "dormant",    "up"};
constexpr uint32_t max_segments = 65535;  // iproute2 itself refuses more
constexpr size_t max_alias = 255;

// Refuses names that no device can have. Longer ones may be altnames; in newer builds any word may
// be one.
Parsed<std::string> parse_own_name(Traits traits, std::string_view keyword, std::string_view word) {
    if (keyword == "dev" && !word.empty() && !traits.lacks(Trait::names_as_of_altnames))
        return parse_device(word);
    if (word.empty() || word.contains('/') || (keyword == "name" && word.size() > 15)) {
        return refused(fmt::format("Error: argument \"{}\" is wrong: \"{}\" not a valid ifname\n",
                                   word, keyword));
    }
    return parse_device(word);
}

template <std::string LinkHead::* Field>
Parsed<void> read_string(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    std::string& into = scope.head().*Field;
    const auto word = TRY(arguments.value(row.word));
    if (!into.empty() && row.word == "name") return duplicate("name", word);
    if (!into.empty()) return declined("link: an option is repeated");
    const bool named = row.word == "dev" || row.word == "name";
    auto name =
        TRY(named ? parse_own_name(arguments.traits(), row.word, word) : parse_device(word));
    into = std::move(name);
    return {};
}

// Whether atoi gives 0.
bool is_no_index(std::string_view word) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if (word.empty()) return true;
    if (word.front() == '0') return word.size() == 1 || !is_digit(word[1]);
    return !is_digit(word.front()) && is_plain_value(word.substr(0, 1));
}

Parsed<void> read_index(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    const auto word = TRY(arguments.value(row.word));
    if (scope.head().ifindex != 0) return duplicate("index", word);
    if (is_no_index(word)) {
        return refused(
            fmt::format("Error: argument \"{}\" is wrong: Invalid \"index\" value\n", word));
    }
    const auto index = parse_decimal(word, INT_MAX);
    if (!index || *index == 0) return declined("link: bad index");
    scope.head().ifindex = *index;
    return {};
}

// up | down; the parameter is the flag.
template <bool On>
Parsed<void> set_state(OptionScope& scope, const LinkRow& row, Arguments&) {
    scope.head().set_flag(row.parameter, On);
    return {};
}
// KEYWORD on | off; the parameter is the flag. `Inverted`: on clears it.
template <bool Inverted = false>
Parsed<void> read_flag(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    const auto word = TRY(arguments.value(row.word));
    const auto on = parse_on_off(word);
    if (!on) {
        return refused(
            fmt::format("Error: argument of \"{}\" must be \"on\" or \"off\", not \"{}\"\n",
                        row.word, word),
            1);
    }
    scope.head().set_flag(row.parameter, *on != Inverted);
    return {};
}

// Reads on or off. A wrong word's status is an errno.
Parsed<void> read_switch(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    auto read = read_on_off(scope, row, arguments);
    if (!read && read.error().status == 1) read.error().status = EINVAL;
    return read;
}

Parsed<void> read_segments(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    const auto word = TRY(arguments.value(row.word));
    const auto count = TRY(parse_u32(word, max_segments));
    return scope.put_number(row.attribute, count);
}

Parsed<void> read_group(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    const auto word = TRY(arguments.value(row.word));
    auto group = scope.context().names.value(NameKind::group, word);
    if (!group) group = truncated_group(word);
    if (!group && parse_u64(word)) return declined("link: group");
    if (!group || *group > INT_MAX) return unreadable(word, "link: unknown group");
    return scope.put_number(row.attribute, *group);
}

Parsed<void> read_alias(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    const auto word = TRY(arguments.value(row.word));
    if (word.size() > max_alias) return declined("link: alias too long");
    return scope.put(row.attribute, std::string(word));
}

Parsed<void> read_parent(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    const auto word = TRY(arguments.value(row.word));
    return scope.put(row.attribute, std::string(word) + '\0');
}

Parsed<void> read_address_mode(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    const auto word = TRY(arguments.value(row.word));
    const auto mode = TRY(any_case_index(row.names, word));
    const LinkAttribute value{IFLA_INET6_ADDR_GEN_MODE, std::string(1, static_cast<char>(mode))};
    return scope.put(row.attribute, LinkNest{"", {{AF_INET6, LinkNest{"", {value}}}}});
}

// A name, a path, or a process. Paths and processes depend on the caller (`in_process`). A batch
// may send the request after the descriptor is closed, so it falls back.
Parsed<void> read_netns(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    const auto word = TRY(arguments.value(row.word));
    if (scope.context().options.batch) return declined("link: netns in a batch");
    const Traits& traits = arguments.traits();
    const bool decided =
        traits.lacks(Trait::netns_pid_opened) || traits.has(Trait::netns_pid_opened);
    if (!decided && parse_u32(word)) return declined("link: netns of a process");
    LinkNetns netns{std::string(word)};
    if (word.empty() || word.size() > NAME_MAX ||
        (!depends_on_viewer(netns) &&
         std::string_view(".0123456789+- \t").contains(word.front()))) {
        return declined("link: netns isn't a plain name");
    }
    return scope.put(row.attribute, std::move(netns));
}

Parsed<void> decline_option(OptionScope&, const LinkRow& row, Arguments&) {
    return declined("link: " + std::string(row.word) + " is not native");
}

// protodown_reason N on | off; names fall back.
Parsed<void> read_protodown_reason(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    constexpr uint32_t max_reason = 31;
    const auto word = TRY(arguments.value(row.word));
    const auto reason = parse_decimal(word, max_reason);
    if (!reason) return declined("link: reason of protodown");
    const auto state = TRY(arguments.value(row.word));
    const auto on = parse_on_off(state);
    if (!on) return declined("link: state of a reason of protodown");
    const uint32_t bit = uint32_t{1} << *reason;
    LinkNest nest{"", {}};
    nest.attributes.push_back({IFLA_PROTO_DOWN_REASON_MASK, bytes_of(bit)});
    nest.attributes.push_back({IFLA_PROTO_DOWN_REASON_VALUE, bytes_of(*on ? bit : 0)});
    return scope.put(row.attribute, std::move(nest));
}

using Role = LinkDevice::Role;
constexpr const char* invalid_value = "Invalid \"{}\" value\n";
constexpr const char* invalid_queue = "Invalid \"txqueuelen\" value\n";

// A keyword that takes any prefix also matches devices of such names.
// clang-format off
constexpr LinkRow rows[] = {
    {.word = "link", .codec = {read_string<&LinkHead::link>}},
    {.word = "address", .attribute = IFLA_ADDRESS, .codec = {read_link_address}, .first = true},
    {.word = "broadcast", .attribute = IFLA_BROADCAST, .codec = {read_link_address}},
    {.word = "txqueuelen", .attribute = IFLA_TXQLEN, .codec = {read_int},
     .complaint = invalid_value},
    {.word = "txqlen", .attribute = IFLA_TXQLEN, .codec = {read_int}, .complaint = invalid_queue},
    {.word = "master", .attribute = IFLA_MASTER, .codec = {read_device<Role::master>}},
    {.word = "nomaster", .attribute = IFLA_MASTER, .codec = {set_u32}},
    {.word = "dynamic", .codec = {read_flag<>}, .parameter = IFF_DYNAMIC},
    {.word = "alias", .attribute = IFLA_IFALIAS, .codec = {read_alias}},
    {.word = "numtxqueues", .attribute = IFLA_NUM_TX_QUEUES, .codec = {read_int},
     .complaint = invalid_value},
    {.word = "numrxqueues", .attribute = IFLA_NUM_RX_QUEUES, .codec = {read_int},
     .complaint = invalid_value},
    {.word = "addrgenmode", .attribute = IFLA_AF_SPEC, .codec = {read_address_mode},
     .names = address_modes, .complaint = "Invalid address generation mode\n"},
    {.word = "inet", .attribute = IFLA_AF_SPEC, .codec = {read_inet}, .exact = true,
     .since = Trait::link_inet_parameters},
    {.word = "link-netns", .codec = {decline_option}},
    {.word = "link-netnsid", .attribute = IFLA_LINK_NETNSID, .codec = {read_int},
     .complaint = invalid_value},
    {.word = "help", .codec = {decline_option}},
    {.word = "up", .codec = {set_state<true>}, .parameter = IFF_UP, .exact = true},
    {.word = "down", .codec = {set_state<false>}, .parameter = IFF_UP, .exact = true},
    {.word = "dev", .codec = {read_string<&LinkHead::device>}, .exact = true},
    {.word = "name", .codec = {read_string<&LinkHead::name>}, .exact = true},
    {.word = "index", .codec = {read_index}, .exact = true},
    {.word = "qlen", .attribute = IFLA_TXQLEN, .codec = {read_int}, .exact = true,
     .complaint = invalid_queue},
    {.word = "brd", .attribute = IFLA_BROADCAST, .codec = {read_link_address}, .exact = true},
    {.word = "mtu", .attribute = IFLA_MTU, .codec = {read_int}, .exact = true,
     .complaint = invalid_value},
    {.word = "vrf", .attribute = IFLA_MASTER, .codec = {read_device<Role::vrf>}, .exact = true},
    {.word = "group", .attribute = IFLA_GROUP, .codec = {read_group}, .exact = true,
     .complaint = invalid_value},
    {.word = "multicast", .codec = {read_flag<>}, .parameter = IFF_MULTICAST, .exact = true},
    {.word = "allmulticast", .codec = {read_flag<>}, .parameter = IFF_ALLMULTI, .exact = true},
    {.word = "promisc", .codec = {read_flag<>}, .parameter = IFF_PROMISC, .exact = true},
    {.word = "trailers", .codec = {read_flag<true>}, .parameter = IFF_NOTRAILERS, .exact = true},
    {.word = "arp", .codec = {read_flag<true>}, .parameter = IFF_NOARP, .exact = true},
    {.word = "carrier", .attribute = IFLA_CARRIER, .codec = {read_switch}, .exact = true},
    {.word = "mode", .attribute = IFLA_LINKMODE, .codec = {read_any_case_name},
     .names = link_modes, .exact = true, .complaint = "Invalid link mode\n"},
    {.word = "state", .attribute = IFLA_OPERSTATE, .codec = {read_any_case_name},
     .names = operstates, .exact = true, .complaint = "Invalid operstate\n"},
    {.word = "protodown", .attribute = IFLA_PROTO_DOWN, .codec = {read_switch}, .exact = true},
    {.word = "gso_max_size", .attribute = IFLA_GSO_MAX_SIZE, .codec = {read_u32}, .exact = true,
     .complaint = invalid_value},
    {.word = "gso_max_segs", .attribute = IFLA_GSO_MAX_SEGS, .codec = {read_segments},
     .exact = true, .complaint = invalid_value},
    {.word = "gro_max_size", .attribute = IFLA_GRO_MAX_SIZE, .codec = {read_u32}, .exact = true,
     .complaint = invalid_value, .since = Trait::words_of_6_1},
    {.word = "gso_ipv4_max_size", .attribute = newer::IFLA_GSO_IPV4_MAX_SIZE, .codec = {read_u32},
     .exact = true, .complaint = invalid_value, .since = Trait::link_ipv4_max_sizes},
    {.word = "gro_ipv4_max_size", .attribute = newer::IFLA_GRO_IPV4_MAX_SIZE, .codec = {read_u32},
     .exact = true, .complaint = invalid_value, .since = Trait::link_ipv4_max_sizes},
    {.word = "parentdev", .attribute = IFLA_PARENT_DEV_NAME, .codec = {read_parent}, .exact = true,
     .since = Trait::words_of_5_15},
    {.word = "protodown_reason", .attribute = IFLA_PROTO_DOWN_REASON | NLA_F_NESTED,
     .codec = {read_protodown_reason}, .exact = true},
    {.word = "netns", .attribute = IFLA_NET_NS_FD, .codec = {read_netns}, .exact = true},
    {.word = "vf", .attribute = IFLA_VFINFO_LIST, .codec = {read_virtual_function}, .exact = true},
    {.word = "xdp", .codec = {decline_option}, .exact = true},
    {.word = "xdpgeneric", .codec = {decline_option}, .exact = true},
    {.word = "xdpdrv", .codec = {decline_option}, .exact = true},
    {.word = "xdpoffload", .codec = {decline_option}, .exact = true},
};
// clang-format on

// Checks options that iproute2 takes only once.
Parsed<void> check_repeated(const OptionScope& scope, const LinkRow& row,
                            const Arguments& arguments) {
    constexpr std::pair<uint16_t, std::string_view> once[] = {{IFLA_MTU, "mtu"},
                                                              {IFLA_TXQLEN, "txqueuelen"},
                                                              {IFLA_NUM_TX_QUEUES, "numtxqueues"},
                                                              {IFLA_NUM_RX_QUEUES, "numrxqueues"},
                                                              {IFLA_GROUP, "group"}};
    for (const auto& [attribute, name] : once) {
        if (row.attribute != attribute || !scope.has(attribute) || arguments.empty()) continue;
        return duplicate(name, arguments.peek());
    }
    return {};
}

}  // namespace

Parsed<void> read_link_options(OptionScope& scope, Arguments& arguments) {
    while (!arguments.empty() && arguments.peek() != "type") {
        const std::string_view word = arguments.take();
        if (matches(word, "type")) return declined("link: abbreviation of type");
        const auto option = TRY(find_option(rows, word, scope.context().options.traits));
        if (option == nullptr) {
            if (!scope.head().device.empty()) return garbage(arguments.traits(), "dev", word);
            const bool long_name = scope.create() && word.size() > 15 && word.size() < 64 &&
                                   !word.contains('/') && is_plain_value(word);
            auto name = TRY(long_name ? Parsed<std::string>(word)  // the kernel refuses it
                                      : parse_own_name(arguments.traits(), "dev", word));
            scope.head().device = std::move(name);
            continue;
        }
        if (auto once = check_repeated(scope, *option, arguments); !once) return once;
        TRY(read_option(scope, *option, arguments));
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

Parsed<std::string> new_link_name(const OptionScope& scope, Arguments arguments) {
    if (arguments.take_if("type")) TRY(arguments.value("type"));
    const LinkHead& head = scope.head();
    // iproute2 reads this as a change of all links in the group, refuses it, and skips the kind's
    // options.
    if (head.name.empty() && head.device.empty() && scope.has(IFLA_GROUP)) {
        return declined("link: a group without a name");
    }
    if (head.name.empty()) return head.device;
    if (!head.device.empty() && head.device != head.name) {
        return refused("both \"name\" and \"dev\" cannot be used when creating devices.\n");
    }
    return head.name;
}

}  // namespace nlsh
