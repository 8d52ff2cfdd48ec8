// MACsec devices.
#include <fmt/format.h>
#include <linux/if_link.h>
#include <linux/if_macsec.h>

#include "backend/link/kinds/field.h"
#include "backend/render/format.h"

namespace nlsh {
namespace {

// The SCI is in network order.
void print_sci(const KindOutput& output, const Field& field, Attribute value) {
    std::string text;
    for (const uint8_t byte : value.bytes())
        text += fmt::format("{:02x}", byte);
    output.printer.string(field.key, fmt::format("{} ", field.label), text, " ");
}

void print_cipher(const KindOutput& output, const Field& field, Attribute value) {
    std::string_view name;
    switch (value.u64()) {
        case MACSEC_DEFAULT_CIPHER_ID:
        case MACSEC_CIPHER_ID_GCM_AES_128:
            name = "GCM-AES-128";
            break;
        case MACSEC_CIPHER_ID_GCM_AES_256:
            name = "GCM-AES-256";
            break;
        case MACSEC_CIPHER_ID_GCM_AES_XPN_128:
            name = "GCM-AES-XPN-128";
            break;
        case MACSEC_CIPHER_ID_GCM_AES_XPN_256:
            name = "GCM-AES-XPN-256";
            break;
        default:
            output.context.hand_over("unknown MACsec cipher");
    }
    output.printer.string(field.key, fmt::format("{} ", field.label), name, " ");
}

void print_window(const KindOutput& output, const Field& field, Attribute value) {
    if (output.attributes[IFLA_MACSEC_REPLAY_PROTECT].u8() != 0) print_number(output, field, value);
}

constexpr std::string_view validations[] = {"disabled", "check", "strict"};

constexpr Field table[] = {
    {IFLA_MACSEC_SCI, print_sci, "sci", "sci"},
    {IFLA_MACSEC_PROTECT, print_on_off, "protect", "protect"},
    {IFLA_MACSEC_CIPHER_SUITE, print_cipher, "cipher_suite", "cipher"},
    {IFLA_MACSEC_ICV_LEN, print_number, "icv_len", "icvlen"},
    {IFLA_MACSEC_ENCODING_SA, print_number, "encoding_sa", "encodingsa"},
    {IFLA_MACSEC_VALIDATION, print_word, "validation", "validate", validations},
    {IFLA_MACSEC_ENCRYPT, print_on_off, "encrypt", "encrypt"},
    {IFLA_MACSEC_INC_SCI, print_on_off, "inc_sci", "send_sci"},
    {IFLA_MACSEC_ES, print_on_off, "es", "end_station"},
    {IFLA_MACSEC_SCB, print_on_off, "scb", "scb"},
    {IFLA_MACSEC_REPLAY_PROTECT, print_on_off, "replay_protect", "replay"},
    {IFLA_MACSEC_WINDOW, print_window, "window", "window"},
};

}  // namespace

const std::span<const Field> macsec_fields = table;

}  // namespace nlsh
