// MACVLAN, MACVTAP, IPVLAN and IPVTAP: several devices on one.
#include <fmt/format.h>
#include <linux/if_ether.h>
#include <linux/if_link.h>

#include <algorithm>

#include "backend/objects/link/kinds/codec.h"
#include "backend/render/format.h"
#include "parser/ip/newer_kernel.h"
#include "parser/ip/refusal.h"
#include "parser/try.h"

namespace nlsh {
namespace {

using Mode = std::pair<std::string_view, uint32_t>;

// Reads a value from a table of names. `expected` is iproute2's list of valid names, if known.
template <typename T>
Parsed<void> read_mode(OptionScope& scope, const LinkRow& row, Arguments& arguments,
                       std::span<const Mode> modes, const char* expected = nullptr) {
    const auto word = TRY(arguments.value(row.word));
    for (const auto& [name, number] : modes) {
        if (word == name) return scope.put_number<T>(row.attribute, static_cast<T>(number));
    }
    if (expected == nullptr) return declined("link: unknown mode");
    return refused(fmt::format("Error: argument of \"mode\" must be {}\n",
                               fmt::format(fmt::runtime(expected), word)),
                   1);
}

constexpr Mode macvlan_modes[] = {{"private", MACVLAN_MODE_PRIVATE},
                                  {"vepa", MACVLAN_MODE_VEPA},
                                  {"bridge", MACVLAN_MODE_BRIDGE},
                                  {"passthru", MACVLAN_MODE_PASSTHRU},
                                  {"source", MACVLAN_MODE_SOURCE}};

Parsed<void> read_macvlan_mode(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    return read_mode<uint32_t>(
        scope, row, arguments, macvlan_modes,
        "\"private\", \"vepa\", \"bridge\", \"passthru\" or \"source\", not \"{}\"");
}

void print_macvlan_mode(const KindOutput& output, const LinkRow& row, Attribute value) {
    const auto* mode = std::ranges::find(macvlan_modes, value.u32(), &Mode::second);
    const bool known = mode != std::end(macvlan_modes);
    if (!known) output.context.fall_back("unknown MACVLAN mode");
    print_text(output, row, known ? mode->first : "");
}

// macaddr add | del ADDRESS, macaddr flush: the addresses of `mode source`.
Parsed<void> read_source_address(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    constexpr Mode actions[] = {{"add", MACVLAN_MACADDR_ADD},
                                {"del", MACVLAN_MACADDR_DEL},
                                {"flush", MACVLAN_MACADDR_FLUSH}};
    const bool flush = !arguments.empty() && arguments.peek() == "flush";
    if (const auto read = read_mode<uint32_t>(scope, row, arguments, actions); !read || flush) {
        return read;
    }
    const auto read =
        read_link_address(scope, {.word = row.word, .attribute = IFLA_MACVLAN_MACADDR}, arguments);
    const std::string* address = scope.bytes(IFLA_MACVLAN_MACADDR);
    if (address != nullptr && address->size() != ETH_ALEN) {
        return declined("macvlan: an address that isn't Ethernet's");
    }
    return read;
}

void print_sources(const KindOutput& output, const LinkRow& row, Attribute value) {
    Printer& printer = output.printer;
    printer.open_array(row.json_key());
    for (const Attribute address : AttributeRange(value.bytes())) {
        if (address.type() != IFLA_MACVLAN_MACADDR || address.size() != 6) continue;
        printer.string({}, {}, format_hex_bytes(address.bytes()), " ");
    }
    printer.close_array();
}

void print_source_count(const KindOutput& output, const LinkRow& row, Attribute value) {
    const bool sources = output.attributes[IFLA_MACVLAN_MODE].u32() == MACVLAN_MODE_SOURCE;
    if (sources || value.u32() != 0)
        output.printer.number(row.json_key(), "remotes (", value.u32(), ") ");
}

// A number with or without a sign.
Parsed<void> read_limit(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    const auto word = TRY(arguments.value(row.word));
    const bool negative = word.starts_with('-');
    const auto number = parse_u32(word.substr(negative ? 1 : 0), INT32_MAX);
    if (!number && is_plain_value(word)) {
        return refused(fmt::format("Error: illegal value for \"{}\": \"{}\"\n", row.word, word), 1);
    }
    const auto limit = static_cast<int32_t>(TRY(number));
    return scope.put_number(row.attribute, static_cast<uint32_t>(negative ? -limit : limit));
}

// clang-format off
constexpr LinkRow macvlan_rows[] = {
    {.word = "mode", .attribute = IFLA_MACVLAN_MODE,
     .codec = {read_macvlan_mode, print_macvlan_mode}},
    {.word = "nopromisc", .attribute = IFLA_MACVLAN_FLAGS,
     .codec = {set_u16, print_bit<MACVLAN_FLAG_NOPROMISC>}, .parameter = MACVLAN_FLAG_NOPROMISC,
     .exact = true},
    {.word = "nodst", .attribute = IFLA_MACVLAN_FLAGS,
     .codec = {set_u16, print_bit<MACVLAN_FLAG_NODST>}, .parameter = MACVLAN_FLAG_NODST,
     .exact = true, .since = Trait::words_of_5_15},
    {.word = "bcqueuelen", .attribute = IFLA_MACVLAN_BC_QUEUE_LEN, .codec = u32, .exact = true,
     .since = Trait::words_of_5_15},
    printed(IFLA_MACVLAN_BC_QUEUE_LEN_USED, print_number, "usedbcqueuelen", {},
            Trait::words_of_5_15),
    {.word = "bclim", .attribute = newer::IFLA_MACVLAN_BC_CUTOFF,
     .codec = {read_limit, print_signed}, .exact = true, .since = Trait::macvlan_bclim},
    {.attribute = IFLA_MACVLAN_MACADDR_COUNT, .codec = {.print = print_source_count},
     .key = "macaddr_count"},
    {.attribute = IFLA_MACVLAN_MACADDR_DATA, .codec = {.print = print_sources},
     .key = "macaddr_data"},
    {.word = "macaddr", .attribute = IFLA_MACVLAN_MACADDR_MODE, .codec = {read_source_address},
     .exact = true},
};
// clang-format on

// iproute2 checks that nopromisc comes with passthru only.
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

static_assert(IPVLAN_MODE_L2 == 0 && IPVLAN_MODE_L3 == 1 && IPVLAN_MODE_L3S == 2);
constexpr std::string_view ipvlan_modes[] = {"l2", "l3", "l3s"};

Parsed<void> read_ipvlan_mode(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    const auto word = TRY(arguments.value(row.word));
    const auto mode = name_index(row.names, word);
    if (mode) return scope.put_number(row.attribute, uint16_t{*mode});
    return refused("Error: argument of \"mode\" must be either \"l2\", \"l3\" or \"l3s\"\n", 1);
}

// Text has a blank before the mode.
void print_ipvlan_mode(const KindOutput& output, const LinkRow& row, Attribute value) {
    output.printer.text(" ");
    print_word(output, row, value);
}

void print_ipvlan_flags(const KindOutput& output, const LinkRow&, Attribute value) {
    const uint16_t flags = value.u16();
    const std::string_view word = (flags & IPVLAN_F_PRIVATE) != 0 ? "private"
                                  : (flags & IPVLAN_F_VEPA) != 0  ? "vepa"
                                                                  : "bridge";
    output.printer.boolean(word, with_blank(word));
}

// clang-format off
constexpr LinkRow ipvlan_rows[] = {
    {.word = "mode", .attribute = IFLA_IPVLAN_MODE, .codec = {read_ipvlan_mode, print_ipvlan_mode},
     .names = ipvlan_modes},
    {.word = "bridge", .attribute = IFLA_IPVLAN_FLAGS, .codec = {set_u16, print_ipvlan_flags},
     .exact = true},
    {.word = "private", .attribute = IFLA_IPVLAN_FLAGS, .codec = {set_u16},
     .parameter = IPVLAN_F_PRIVATE, .exact = true},
    {.word = "vepa", .attribute = IFLA_IPVLAN_FLAGS, .codec = {set_u16}, .parameter = IPVLAN_F_VEPA,
     .exact = true},
};
// clang-format on

Parsed<void> finish_ipvlan(OptionScope& scope) {
    scope.move_to_end(IFLA_IPVLAN_FLAGS);
    if (scope.has(IFLA_IPVLAN_FLAGS)) return {};
    return scope.put_number(IFLA_IPVLAN_FLAGS, uint16_t{0});
}

}  // namespace

extern constexpr LinkKind macvlan_kind{
    .name = "macvlan", .rows = macvlan_rows, .finish = finish_macvlan};
extern constexpr LinkKind macvtap_kind{
    .name = "macvtap", .rows = macvlan_rows, .finish = finish_macvlan};
extern constexpr LinkKind ipvlan_kind{
    .name = "ipvlan", .rows = ipvlan_rows, .finish = finish_ipvlan};
extern constexpr LinkKind ipvtap_kind{
    .name = "ipvtap", .rows = ipvlan_rows, .finish = finish_ipvlan};

}  // namespace nlsh
