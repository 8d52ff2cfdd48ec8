// MACVLAN, MACVTAP, IPVLAN and IPVTAP.
#include <fmt/format.h>
#include <linux/if_link.h>

#include "backend/link/kinds/field.h"
#include "backend/render/format.h"

namespace nlsh {
namespace {

// One bit for each mode, so that they can be or'ed.
std::string_view macvlan_mode(uint32_t mode) {
    switch (mode) {
        case MACVLAN_MODE_PRIVATE:
            return "private";
        case MACVLAN_MODE_VEPA:
            return "vepa";
        case MACVLAN_MODE_BRIDGE:
            return "bridge";
        case MACVLAN_MODE_PASSTHRU:
            return "passthru";
        case MACVLAN_MODE_SOURCE:
            return "source";
        default:
            return {};
    }
}

void print_macvlan_mode(const KindOutput& output, const Field& field, Attribute value) {
    const std::string_view mode = macvlan_mode(value.u32());
    if (mode.empty()) output.context.hand_over("unknown MACVLAN mode");
    output.printer.string(field.key, "mode ", mode, " ");
}

template <uint16_t Bit>
void print_bit(const KindOutput& output, const Field& field, Attribute value) {
    if ((value.u16() & Bit) != 0)
        output.printer.boolean(field.key, fmt::format("{} ", field.label));
}

void print_sources(const KindOutput& output, const Field& field, Attribute value) {
    Printer& printer = output.printer;
    printer.open_array(field.key);
    for (const Attribute address : AttributeRange(value.bytes())) {
        if (address.type() != IFLA_MACVLAN_MACADDR || address.size() != 6) continue;
        printer.string({}, {}, format_hex_bytes(address.bytes()), " ");
    }
    printer.close_array();
}

void print_source_count(const KindOutput& output, const Field& field, Attribute value) {
    if (value.u32() != 0) output.printer.number(field.key, "remotes (", value.u32(), ") ");
}

constexpr Field macvlan_table[] = {
    {IFLA_MACVLAN_MODE, print_macvlan_mode, "mode", "mode"},
    {IFLA_MACVLAN_FLAGS, print_bit<MACVLAN_FLAG_NOPROMISC>, "nopromisc", "nopromisc"},
    {IFLA_MACVLAN_FLAGS, print_bit<MACVLAN_FLAG_NODST>, "nodst", "nodst"},
    {IFLA_MACVLAN_BC_QUEUE_LEN, print_number, "bcqueuelen", "bcqueuelen"},
    {IFLA_MACVLAN_BC_QUEUE_LEN_USED, print_number, "usedbcqueuelen", "usedbcqueuelen"},
    {IFLA_MACVLAN_MACADDR_COUNT, print_source_count, "macaddr_count", ""},
    {IFLA_MACVLAN_MACADDR_DATA, print_sources, "macaddr_data", ""},
};

constexpr std::string_view ipvlan_modes[] = {"l2", "l3", "l3s"};

// Text has a blank before the mode.
void print_ipvlan_mode(const KindOutput& output, const Field& field, Attribute value) {
    output.printer.text(" ");
    print_word(output, field, value);
}

void print_ipvlan_flags(const KindOutput& output, const Field&, Attribute value) {
    const uint16_t flags = value.u16();
    const std::string_view word = (flags & IPVLAN_F_PRIVATE) != 0 ? "private"
                                  : (flags & IPVLAN_F_VEPA) != 0  ? "vepa"
                                                                  : "bridge";
    output.printer.boolean(word, fmt::format("{} ", word));
}

constexpr Field ipvlan_table[] = {
    {IFLA_IPVLAN_MODE, print_ipvlan_mode, "mode", "mode", ipvlan_modes},
    {IFLA_IPVLAN_FLAGS, print_ipvlan_flags, "", ""},
};

}  // namespace

const std::span<const Field> macvlan_fields = macvlan_table;
const std::span<const Field> ipvlan_fields = ipvlan_table;

}  // namespace nlsh
