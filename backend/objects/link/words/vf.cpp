// `vf N …` of `ip link set`: settings of a device's virtual functions.
#include "backend/objects/link/words/options.h"

#include <linux/if_ether.h>
#include <linux/if_link.h>
#include <netinet/in.h>

#include <algorithm>
#include <climits>
#include <cstring>

#include "backend/objects/bridge/words/values.h"
#include "parser/ip/keywords.h"
#include "parser/ip/refusal.h"
#include "parser/try.h"

namespace nlsh {
namespace {

constexpr std::string_view states[] = {"auto", "enable", "disable"};  // by IFLA_VF_LINK_STATE_*
constexpr uint32_t max_vlan = 4094;

struct Function {
    uint32_t number = 0;
    LinkNest nest = {};
    // Both are sent last. If only one is given, iproute2 asks the device for the other.
    std::optional<uint32_t> least_rate = {};
    std::optional<uint32_t> greatest_rate = {};

    template <typename T>
    Parsed<void> put(uint16_t type, T value) {
        const auto same = [&](const LinkAttribute& other) { return other.type == type; };
        if (std::ranges::any_of(nest.attributes, same)) return declined("vf: a word twice");
        nest.attributes.push_back({type, bytes_of(value)});
        return {};
    }
};

Parsed<void> take_mac(Function& function, Arguments& arguments) {
    const auto address = TRY(parse_link_address(TRY(arguments.value("mac"))));
    if (address.size != ETH_ALEN) return declined("vf: mac");
    ifla_vf_mac mac{};
    mac.vf = function.number;
    std::memcpy(mac.mac, address.bytes.data(), address.size);
    return function.put(IFLA_VF_MAC, mac);
}

// Like ifla_vf_vlan_info and ifla_vf_guid, but without uninitialised padding.
struct VlanInfo {
    uint32_t function;
    uint32_t vlan;
    uint32_t service;
    uint16_t protocol;  // in network order
    uint16_t padding;
};
static_assert(sizeof(VlanInfo) == sizeof(ifla_vf_vlan_info));
struct Guid {
    uint32_t function;
    uint32_t padding;
    uint64_t guid;
};
static_assert(sizeof(Guid) == sizeof(ifla_vf_guid));

// vlan N [qos N] [proto 802.1Q | 802.1ad]
Parsed<void> take_vlan(Function& function, Arguments& arguments) {
    // Several VLANs make one list.
    const bool again = std::ranges::any_of(function.nest.attributes, [](const auto& setting) {
        return setting.type == IFLA_VF_VLAN || setting.type == IFLA_VF_VLAN_LIST;
    });
    if (again) return declined("vf: two VLANs");
    VlanInfo info{
        .function = function.number, .vlan = 0, .service = 0, .protocol = 0, .padding = 0};
    info.vlan = TRY(parse_u32(TRY(arguments.value("vlan")), max_vlan));
    if (arguments.take_if("qos")) info.service = TRY(parse_u32(TRY(arguments.value("qos"))));
    std::string_view protocol = "802.1Q";
    if (arguments.take_if("proto")) protocol = TRY(arguments.value("proto"));
    if (protocol == "802.1Q")
        return function.put(
            IFLA_VF_VLAN,
            ifla_vf_vlan{.vf = info.function, .vlan = info.vlan, .qos = info.service});
    if (protocol != "802.1ad") return declined("vf: proto");
    info.protocol = htons(ETH_P_8021AD);
    const LinkAttribute entry{IFLA_VF_VLAN_INFO, bytes_of(info)};
    function.nest.attributes.push_back({IFLA_VF_VLAN_LIST, LinkNest{"", {entry}}});
    return {};
}

// A structure of the function's number and a value.
struct Setting {
    uint32_t function;
    uint32_t value;
};

Parsed<void> take_rate(Function& function, Arguments& arguments) {
    const auto rate = TRY(parse_u32(TRY(arguments.value("rate"))));
    return function.put(IFLA_VF_TX_RATE, Setting{function.number, rate});
}

template <uint16_t Type>
Parsed<void> take_switch(Function& function, Arguments& arguments) {
    const bool on = TRY(parse_on_off(TRY(arguments.value("a switch"))));
    return function.put(Type, Setting{function.number, on});
}

Parsed<void> take_state(Function& function, Arguments& arguments) {
    const auto word = TRY(arguments.value("state"));
    const auto* state = std::ranges::find(states, word);
    if (state == std::end(states)) return declined("vf: state");
    const auto number = static_cast<uint32_t>(state - states);
    return function.put(IFLA_VF_LINK_STATE, Setting{function.number, number});
}

// Eight bytes in hexadecimal, the most significant first.
template <uint16_t Type>
Parsed<void> take_guid(Function& function, Arguments& arguments) {
    const auto word = TRY(arguments.value("a GUID"));
    const auto bytes = TRY(parse_link_address(word));
    if (bytes.size != sizeof(uint64_t) || word.size() != 3 * sizeof(uint64_t) - 1)
        return declined("vf: a GUID");
    Guid guid{.function = function.number, .padding = 0, .guid = 0};
    for (size_t i = 0; i < bytes.size; ++i)
        guid.guid = guid.guid << 8 | bytes.bytes[i];
    return function.put(Type, guid);
}

template <auto Rate>
Parsed<void> take_limit(Function& function, Arguments& arguments) {
    return take_once(arguments, "a rate", function.*Rate,
                     [](std::string_view word) { return parse_u32(word); });
}

constexpr Keyword<Function> keywords[] = {
    {.word = "mac", .take = take_mac},
    {.word = "vlan", .take = take_vlan},
    {.word = "rate", .take = take_rate},
    {.word = "max_tx_rate", .take = take_limit<&Function::greatest_rate>},
    {.word = "min_tx_rate", .take = take_limit<&Function::least_rate>},
    {.word = "spoofchk", .take = take_switch<IFLA_VF_SPOOFCHK>},
    {.word = "query_rss", .take = take_switch<IFLA_VF_RSS_QUERY_EN>},
    {.word = "trust", .take = take_switch<IFLA_VF_TRUST>},
    {.word = "state", .take = take_state},
    {.word = "node_guid", .take = take_guid<IFLA_VF_IB_NODE_GUID>},
    {.word = "port_guid", .take = take_guid<IFLA_VF_IB_PORT_GUID>},
};

// The real ip may read an abbreviation as another word.
bool is_short(std::string_view word) {
    return std::ranges::any_of(keywords,
                               [&](const auto& keyword) { return matches(word, keyword.word); });
}

const LinkNest* nest_of(const LinkAttribute& attribute, uint16_t type) {
    return attribute.type == type ? std::get_if<LinkNest>(&attribute.value) : nullptr;
}

}  // namespace

bool has_function_address(const LinkAttribute& attribute) {
    const LinkNest* const list = nest_of(attribute, IFLA_VFINFO_LIST);
    if (list == nullptr) return false;
    return std::ranges::any_of(list->attributes, [](const LinkAttribute& function) {
        const LinkNest* const info = nest_of(function, IFLA_VF_INFO);
        return info != nullptr && std::ranges::any_of(info->attributes, [](const auto& setting) {
                   return setting.type == IFLA_VF_MAC;
               });
    });
}

Parsed<void> read_virtual_function(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    if (scope.create() || scope.head().device.empty()) return declined("vf of no device");
    Function function;
    function.number = TRY(parse_decimal(TRY(arguments.value(row.word)), INT_MAX));
    while (!arguments.empty()) {
        const auto taken = take_keyword<Function>(keywords, function, arguments);
        // iproute2 may have looked up a device by now.
        if (!taken) return std::unexpected(unexplained(taken.error()));
        if (*taken) continue;
        if (is_short(arguments.peek())) return declined("vf: a word in short");
        break;
    }
    const auto& [number, nest, least, greatest] = function;
    if (least.has_value() != greatest.has_value()) return declined("vf: one of two rates");
    if (least) {
        const ifla_vf_rate rate{.vf = number, .min_tx_rate = *least, .max_tx_rate = *greatest};
        TRY(function.put(IFLA_VF_RATE, rate));
    }
    if (nest.attributes.empty()) return declined("vf: nothing");
    const LinkAttribute info{IFLA_VF_INFO, std::move(function.nest)};
    scope.attributes().push_back({row.attribute, LinkNest{"", {info}}});
    return {};
}

}  // namespace nlsh
