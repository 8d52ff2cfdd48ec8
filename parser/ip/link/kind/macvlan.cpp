// macvlan and macvtap, ipvlan and ipvtap: several devices on one.
#include <fmt/format.h>
#include <linux/if_ether.h>
#include <linux/if_link.h>

#include "parser/ip/link/kind/kind.h"
#include "parser/ip/refusal.h"

namespace nlsh {
namespace {

using Mode = std::pair<std::string_view, uint32_t>;

// Keyword's value by a table of names and numbers; `expected` is what iproute2 says it must be, if
// known.
template <typename T>
Parsed<void> read_mode(OptionScope& scope, const LinkOption& option, Arguments& arguments,
                       std::span<const Mode> modes, const char* expected = nullptr) {
    const auto word = arguments.value(option.word);
    if (!word) return std::unexpected(word.error());
    for (const auto& [name, number] : modes) {
        if (*word == name) return scope.put_number<T>(option.attribute, static_cast<T>(number));
    }
    if (expected == nullptr) return declined("link: unknown mode");
    return refused(fmt::format("Error: argument of \"mode\" must be {}\n",
                               fmt::format(fmt::runtime(expected), *word)),
                   1);
}

Parsed<void> read_macvlan_mode(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    constexpr Mode modes[] = {{"private", MACVLAN_MODE_PRIVATE},
                              {"vepa", MACVLAN_MODE_VEPA},
                              {"bridge", MACVLAN_MODE_BRIDGE},
                              {"passthru", MACVLAN_MODE_PASSTHRU},
                              {"source", MACVLAN_MODE_SOURCE}};
    return read_mode<uint32_t>(
        scope, option, arguments, modes,
        "\"private\", \"vepa\", \"bridge\", \"passthru\" or \"source\", not \"{}\"");
}

Parsed<void> read_ipvlan_mode(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    constexpr Mode modes[] = {
        {"l2", IPVLAN_MODE_L2}, {"l3", IPVLAN_MODE_L3}, {"l3s", IPVLAN_MODE_L3S}};
    return read_mode<uint16_t>(scope, option, arguments, modes, "either \"l2\", \"l3\" or \"l3s\"");
}

Parsed<void> set_u16(OptionScope& scope, const LinkOption& option, Arguments&) {
    return scope.put_number(option.attribute, static_cast<uint16_t>(option.parameter));
}

// macaddr add | del ADDRESS, macaddr flush: the addresses of `mode source`.
Parsed<void> read_source_address(OptionScope& scope, const LinkOption& option,
                                 Arguments& arguments) {
    constexpr Mode actions[] = {{"add", MACVLAN_MACADDR_ADD},
                                {"del", MACVLAN_MACADDR_DEL},
                                {"flush", MACVLAN_MACADDR_FLUSH}};
    const bool flush = !arguments.empty() && arguments.peek() == "flush";
    if (const auto read = read_mode<uint32_t>(scope, option, arguments, actions); !read || flush) {
        return read;
    }
    const auto read =
        read_link_address(scope, {"macaddr", IFLA_MACVLAN_MACADDR, read_link_address}, arguments);
    const std::string* address = scope.bytes(IFLA_MACVLAN_MACADDR);
    if (address != nullptr && address->size() != ETH_ALEN) {
        return declined("macvlan: an address that isn't Ethernet's");
    }
    return read;
}

constexpr LinkOption macvlan_options[] = {
    {"mode", IFLA_MACVLAN_MODE, read_macvlan_mode},
    {"nopromisc", IFLA_MACVLAN_FLAGS, set_u16, MACVLAN_FLAG_NOPROMISC, {}, Spelling::exact},
    {"nodst", IFLA_MACVLAN_FLAGS, set_u16, MACVLAN_FLAG_NODST, {}, Spelling::exact},
    {"macaddr", IFLA_MACVLAN_MACADDR_MODE, read_source_address, 0, {}, Spelling::exact},
    {"bcqueuelen", IFLA_MACVLAN_BC_QUEUE_LEN, read_u32, 0, {}, Spelling::exact},
};

// nopromisc is for passthru alone, which iproute2 checks.
Parsed<void> finish_macvlan(OptionScope& scope) {
    scope.move_to_end(IFLA_MACVLAN_MODE);
    scope.move_to_end(IFLA_MACVLAN_FLAGS);
    const auto passthru = static_cast<uint32_t>(MACVLAN_MODE_PASSTHRU);
    const auto nopromisc = static_cast<uint16_t>(MACVLAN_FLAG_NOPROMISC);
    const auto* flags = scope.bytes(IFLA_MACVLAN_FLAGS);
    const auto* mode = scope.bytes(IFLA_MACVLAN_MODE);
    if (flags != nullptr && *flags == bytes_of(nopromisc) &&
        (mode == nullptr || *mode != bytes_of(passthru))) {
        return declined("macvlan: nopromisc without passthru");
    }
    return {};
}

constexpr LinkOption ipvlan_options[] = {
    {"mode", IFLA_IPVLAN_MODE, read_ipvlan_mode},
    {"bridge", IFLA_IPVLAN_FLAGS, set_u16, 0, {}, Spelling::exact},
    {"private", IFLA_IPVLAN_FLAGS, set_u16, IPVLAN_F_PRIVATE, {}, Spelling::exact},
    {"vepa", IFLA_IPVLAN_FLAGS, set_u16, IPVLAN_F_VEPA, {}, Spelling::exact},
};

Parsed<void> finish_ipvlan(OptionScope& scope) {
    scope.move_to_end(IFLA_IPVLAN_FLAGS);
    if (scope.has(IFLA_IPVLAN_FLAGS)) return {};
    return scope.put_number(IFLA_IPVLAN_FLAGS, uint16_t{0});
}

}  // namespace

const LinkKind macvlan_kind{"macvlan", macvlan_options, finish_macvlan};
const LinkKind macvtap_kind{"macvtap", macvlan_options, finish_macvlan};
const LinkKind ipvlan_kind{"ipvlan", ipvlan_options, finish_ipvlan};
const LinkKind ipvtap_kind{"ipvtap", ipvlan_options, finish_ipvlan};

}  // namespace nlsh
