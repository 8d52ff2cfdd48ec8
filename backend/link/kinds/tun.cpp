// TUN and TAP devices.
#include <linux/if_link.h>

#include "backend/link/kinds/field.h"

namespace nlsh {
namespace {

constexpr std::string_view types[] = {"UNKNOWN", "tun", "tap"};  // IFF_TUN, IFF_TAP

void print_multi_queue(const KindOutput& output, const Field& field, Attribute value) {
    const bool on = value.u8() != 0;
    output.printer.boolean(field.key, on ? "multi_queue " : "", on);
}

template <auto Print>
void print_if_multi_queue(const KindOutput& output, const Field& field, Attribute value) {
    if (output.attributes[IFLA_TUN_MULTI_QUEUE].u8() != 0) Print(output, field, value);
}

// Their names are in databases that only the C library reads.
void print_account(const KindOutput& output, const Field&, Attribute) {
    output.context.hand_over("tun device with an owner");
}

constexpr Field table[] = {
    {IFLA_TUN_TYPE, print_word, "type", "type", types},
    {IFLA_TUN_PI, print_on_off, "pi", "pi"},
    {IFLA_TUN_VNET_HDR, print_on_off, "vnet_hdr", "vnet_hdr"},
    {IFLA_TUN_MULTI_QUEUE, print_multi_queue, "multi_queue", ""},
    {IFLA_TUN_NUM_QUEUES, print_if_multi_queue<print_number>, "numqueues", "numqueues"},
    {IFLA_TUN_NUM_DISABLED_QUEUES, print_if_multi_queue<print_number>, "numdisabled",
     "numdisabled"},
    {IFLA_TUN_PERSIST, print_on_off, "persist", "persist"},
    {IFLA_TUN_OWNER, print_account, "user", "user"},
    {IFLA_TUN_GROUP, print_account, "group", "group"},
};

}  // namespace

const std::span<const Field> tun_fields = table;

}  // namespace nlsh
