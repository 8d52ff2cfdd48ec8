// MACsec devices.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <linux/if_link.h>
#include <linux/if_macsec.h>
#include <strings.h>

#include <algorithm>
#include <cstring>

#include "backend/objects/link/kinds/codec.h"
#include "backend/render/format.h"
#include "parser/ip/refusal.h"
#include "parser/text.h"
#include "parser/try.h"

namespace nlsh {
namespace {

constexpr uint32_t min_icv = 8, max_icv = 16, max_association = 3;
constexpr uint32_t no_window = UINT32_MAX;  // iproute2 sends this for `replay off` alone
constexpr std::string_view validations[] = {"disabled", "check", "strict"};
constexpr std::string_view offloads[] = {"off", "phy", "mac"};

// After another option, iproute2 prints a usage text for the secure channel's identifier.
constexpr const char* not_first = "macsec: sci, address or port isn't first";

Parsed<void> put_identifier(OptionScope& scope, uint16_t attribute, std::string bytes) {
    if (!scope.attributes().empty()) return declined(not_first);
    return scope.put(attribute, std::move(bytes));
}

// 64 bits in hex, with or without 0x; in network order.
Parsed<void> read_sci(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    const auto word = TRY(arguments.value(row.word));
    std::string_view digits = word;
    if (digits.starts_with("0x")) digits.remove_prefix(2);
    uint64_t value;
    if (!read_number(digits, value, 16) || digits.size() > 16) return declined("macsec: sci");
    std::string bytes;
    for (int shift = 56; shift >= 0; shift -= 8)
        bytes += static_cast<char>(value >> shift & 0xff);
    return put_identifier(scope, row.attribute, std::move(bytes));
}

Parsed<std::string> port_bytes(Arguments& arguments) {
    const auto word = TRY(arguments.value("port"));
    const auto port = parse_u16(word);
    if (port && *port == 0) {
        return std::unexpected(
            with_complaint(bad_value("macsec: port").error(), word, "expected port != 0"));
    }
    if (!port) return std::unexpected(with_complaint(port.error(), word, "expected port"));
    return bytes_of(htons(*port));
}

Parsed<void> read_sci_port(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    if (!scope.attributes().empty()) return declined(not_first);
    auto port = TRY(port_bytes(arguments));
    return put_identifier(scope, row.attribute, std::move(port));
}

// address LLADDR port N: together they are the SCI.
Parsed<void> read_sci_address(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    const auto word = TRY(arguments.value(row.word));
    if (!scope.attributes().empty()) return declined(not_first);
    const auto address = parse_link_address(word);
    if (!address || address->size != 6) return declined("macsec: address");
    // Without a port, iproute2 ignores the address.
    if (arguments.empty()) return put_identifier(scope, IFLA_MACSEC_PORT, bytes_of(uint16_t{0}));
    if (!arguments.take_if("port")) return declined("macsec: address without port");
    const auto port = TRY(port_bytes(arguments));
    const auto bytes = address->span();
    return put_identifier(scope, row.attribute, std::string(bytes.begin(), bytes.end()) + port);
}

// Whether packet numbers are extended; older builds don't know such ciphers.
bool is_extended(uint64_t cipher) {
    return cipher == MACSEC_CIPHER_ID_GCM_AES_XPN_128 || cipher == MACSEC_CIPHER_ID_GCM_AES_XPN_256;
}

struct Cipher {
    const char* word;  // in any case
    uint64_t id;
    std::string_view name;
};
constexpr Cipher ciphers[] = {
    {"default", MACSEC_DEFAULT_CIPHER_ID, "GCM-AES-128"},
    {"gcm-aes-128", MACSEC_CIPHER_ID_GCM_AES_128, "GCM-AES-128"},
    {"gcm-aes-256", MACSEC_CIPHER_ID_GCM_AES_256, "GCM-AES-256"},
    {"gcm-aes-xpn-128", MACSEC_CIPHER_ID_GCM_AES_XPN_128, "GCM-AES-XPN-128"},
    {"gcm-aes-xpn-256", MACSEC_CIPHER_ID_GCM_AES_XPN_256, "GCM-AES-XPN-256"},
};

Parsed<void> read_cipher(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    const auto word = TRY(arguments.value(row.word));
    const std::string said(word);
    for (const auto& [cipher, id, name] : ciphers) {
        if (strcasecmp(said.c_str(), cipher) != 0) continue;
        if (is_extended(id) && !arguments.traits().has(Trait::words_of_6_1)) break;
        return scope.put_number(row.attribute, id);
    }
    return declined("macsec: cipher");
}

Parsed<void> read_icv_length(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    const auto word = TRY(arguments.value(row.word));
    const auto length = TRY(parse_u8(word));
    if (length < min_icv || length > max_icv) {
        return std::unexpected(with_complaint(bad_value("macsec: icvlen").error(), word,
                                              "ICV length must be in the range {8..16}"));
    }
    return scope.put_number(row.attribute, length);
}

Parsed<void> read_switch_name(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    const auto word = TRY(arguments.value(row.word));
    return scope.put_number(row.attribute, TRY(begun_index(row, word)));
}

// The SCI is in network order.
void print_sci(const KindOutput& output, const LinkRow& row, Attribute value) {
    print_text(output, row, hex_string(value.bytes()));
}

void print_cipher(const KindOutput& output, const LinkRow& row, Attribute value) {
    if (is_extended(value.u64()))
        output.context.needs(output.printer.options(), Trait::words_of_6_1);
    const auto* cipher = std::ranges::find(ciphers, value.u64(), &Cipher::id);
    const bool known = cipher != std::end(ciphers);
    if (!known) output.context.fall_back("unknown MACsec cipher");
    print_text(output, row, known ? cipher->name : "");
}

void print_window(const KindOutput& output, const LinkRow& row, Attribute value) {
    if (output.attributes[IFLA_MACSEC_REPLAY_PROTECT].u8() != 0) print_number(output, row, value);
}

// clang-format off
constexpr LinkRow rows[] = {
    {.word = "sci", .attribute = IFLA_MACSEC_SCI, .codec = {read_sci, print_sci}, .exact = true},
    {.word = "address", .attribute = IFLA_MACSEC_SCI, .codec = {read_sci_address}, .exact = true},
    {.word = "protect", .attribute = IFLA_MACSEC_PROTECT, .codec = on_off, .exact = true},
    {.word = "cipher", .attribute = IFLA_MACSEC_CIPHER_SUITE, .codec = {read_cipher, print_cipher},
     .exact = true, .key = "cipher_suite"},
    {.word = "icvlen", .attribute = IFLA_MACSEC_ICV_LEN, .codec = {read_icv_length, print_number},
     .exact = true, .complaint = "expected ICV length", .key = "icv_len"},
    {.word = "encodingsa", .attribute = IFLA_MACSEC_ENCODING_SA, .codec = u8,
     .parameter = max_association, .exact = true, .complaint = "expected an {{ 0..3 }}",
     .key = "encoding_sa"},
    {.word = "validate", .attribute = IFLA_MACSEC_VALIDATION,
     .codec = {read_switch_name, print_word}, .names = validations, .exact = true,
     .key = "validation"},
    // Only kernels after 6.1 report it.
    {.word = "offload", .attribute = IFLA_MACSEC_OFFLOAD,
     .codec = {read_switch_name, print_word}, .names = offloads, .exact = true},
    {.word = "encrypt", .attribute = IFLA_MACSEC_ENCRYPT, .codec = on_off, .exact = true},
    {.word = "send_sci", .attribute = IFLA_MACSEC_INC_SCI, .codec = on_off, .exact = true,
     .key = "inc_sci"},
    {.word = "end_station", .attribute = IFLA_MACSEC_ES, .codec = on_off, .exact = true,
     .key = "es"},
    {.word = "scb", .attribute = IFLA_MACSEC_SCB, .codec = on_off, .exact = true},
    {.word = "replay", .attribute = IFLA_MACSEC_REPLAY_PROTECT, .codec = on_off, .exact = true,
     .key = "replay_protect"},
    {.word = "window", .attribute = IFLA_MACSEC_WINDOW, .codec = {read_u32, print_window},
     .exact = true, .complaint = "expected replay window size"},
    {.word = "port", .attribute = IFLA_MACSEC_PORT, .codec = {read_sci_port}, .exact = true},
};
// clang-format on

// iproute2 refuses combinations: a window needs replay protection.
Parsed<void> finish(OptionScope& scope) {
    const auto on = [&](uint16_t type) {
        const std::string* bytes = scope.bytes(type);
        return bytes != nullptr && bytes->front() != 0;
    };
    const int identities = on(IFLA_MACSEC_INC_SCI) + on(IFLA_MACSEC_ES) + on(IFLA_MACSEC_SCB);
    if (identities > 1) return refused("invalid combination of send_sci/end_station/scb\n", 1);
    if (scope.has(IFLA_MACSEC_SCI) && scope.has(IFLA_MACSEC_PORT)) return declined("macsec: sci");
    const std::string* window = scope.bytes(IFLA_MACSEC_WINDOW);
    const bool replay = scope.has(IFLA_MACSEC_REPLAY_PROTECT);
    if (window == nullptr && on(IFLA_MACSEC_REPLAY_PROTECT)) {
        return refused(
            "replay protection enabled, but no window set. did you mean 'replay on window "
            "VALUE'?\n",
            1);
    }
    if (window == nullptr && replay) return scope.put_number(IFLA_MACSEC_WINDOW, no_window);
    if (window != nullptr && !replay) {
        uint32_t size = 0;
        std::memcpy(&size, window->data(), sizeof size);
        return refused(fmt::format("replay window set, but replay protection not enabled. did you "
                                   "mean 'replay on window {}'?\n",
                                   size),
                       1);
    }
    return {};
}

}  // namespace

extern constexpr LinkKind macsec_kind{.name = "macsec", .rows = rows, .finish = finish};

}  // namespace nlsh
