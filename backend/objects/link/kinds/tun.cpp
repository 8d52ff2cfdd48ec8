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

template <decltype(Codec::print) Print>
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
    printed(IFLA_TUN_PI, print_on_off, "pi"),
    printed(IFLA_TUN_VNET_HDR, print_on_off, "vnet_hdr"),
    {.attribute = IFLA_TUN_MULTI_QUEUE, .codec = {.print = print_multi_queue},
     .key = "multi_queue"},
    printed(IFLA_TUN_NUM_QUEUES, print_if_multi_queue<print_number>, "numqueues"),
    printed(IFLA_TUN_NUM_DISABLED_QUEUES, print_if_multi_queue<print_number>, "numdisabled"),
    printed(IFLA_TUN_PERSIST, print_on_off, "persist"),
    printed(IFLA_TUN_OWNER, print_account, "user"),
    printed(IFLA_TUN_GROUP, print_account, "group"),
};
// clang-format on

}  // namespace

extern constexpr LinkKind tun_kind{.name = "tun", .rows = rows};

}  // namespace nlsh
