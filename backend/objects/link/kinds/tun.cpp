// TUN and TAP devices.
#include <linux/if_link.h>

#include "backend/objects/link/kinds/codec.h"

namespace nlsh {
namespace {

constexpr std::string_view types[] = {"UNKNOWN", "tun", "tap"};  // IFF_TUN, IFF_TAP

void print_multi_queue(const KindOutput& output, const LinkRow& row, Attribute value) {
    const bool on = value.u8() != 0;
    output.printer.boolean(row.json_key(), on ? "multi_queue " : "", on);
}

template <auto Print>
void print_if_multi_queue(const KindOutput& output, const LinkRow& row, Attribute value) {
    if (output.attributes[IFLA_TUN_MULTI_QUEUE].u8() != 0) Print(output, row, value);
}

// Only the C library can read the databases of their names, so the line falls back.
void print_account(const KindOutput& output, const LinkRow&, Attribute) {
    output.context.fall_back("tun device with an owner");
}

// clang-format off
constexpr LinkRow rows[] = {
    {.attribute = IFLA_TUN_TYPE, .codec = {.print = print_word}, .names = types, .label = "type"},
    {.attribute = IFLA_TUN_PI, .codec = {.print = print_on_off}, .label = "pi"},
    {.attribute = IFLA_TUN_VNET_HDR, .codec = {.print = print_on_off}, .label = "vnet_hdr"},
    {.attribute = IFLA_TUN_MULTI_QUEUE, .codec = {.print = print_multi_queue},
     .key = "multi_queue"},
    {.attribute = IFLA_TUN_NUM_QUEUES, .codec = {.print = print_if_multi_queue<print_number>},
     .label = "numqueues"},
    {.attribute = IFLA_TUN_NUM_DISABLED_QUEUES,
     .codec = {.print = print_if_multi_queue<print_number>}, .label = "numdisabled"},
    {.attribute = IFLA_TUN_PERSIST, .codec = {.print = print_on_off}, .label = "persist"},
    {.attribute = IFLA_TUN_OWNER, .codec = {.print = print_account}, .label = "user"},
    {.attribute = IFLA_TUN_GROUP, .codec = {.print = print_account}, .label = "group"},
};
// clang-format on

}  // namespace

extern constexpr LinkKind tun_kind{.name = "tun", .rows = rows};

}  // namespace nlsh
