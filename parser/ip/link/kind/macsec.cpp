// MACsec devices.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <linux/if_link.h>
#include <linux/if_macsec.h>
#include <strings.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "parser/ip/link/kind/kind.h"
#include "parser/ip/refusal.h"

namespace nlsh {
namespace {

constexpr auto exact = Spelling::exact;
constexpr uint32_t min_icv = 8, max_icv = 16, max_association = 3;
constexpr uint32_t no_window = UINT32_MAX;  // what iproute2 sends with `replay off` alone
constexpr std::string_view validations[] = {"disabled", "check", "strict"};
constexpr std::string_view offloads[] = {"off", "phy", "mac"};

// The secure channel's identifier is known only as the first option: after another one, iproute2
// prints a usage text.
constexpr const char* not_first = "macsec: sci, address or port isn't first";

Parsed<void> put_identifier(OptionScope& scope, uint16_t attribute, std::string bytes) {
    if (!scope.attributes().empty()) return declined(not_first);
    return scope.put(attribute, std::move(bytes));
}

// 64 bits in hex, with or without 0x; in network order.
Parsed<void> read_sci(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    const auto word = arguments.value(option.word);
    if (!word) return std::unexpected(word.error());
    std::string_view digits = *word;
    if (digits.starts_with("0x")) digits.remove_prefix(2);
    uint64_t value;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (error != std::errc{} || end != digits.data() + digits.size() || digits.size() > 16) {
        return declined("macsec: sci");
    }
    std::string bytes;
    for (int shift = 56; shift >= 0; shift -= 8)
        bytes += static_cast<char>(value >> shift & 0xff);
    return put_identifier(scope, option.attribute, std::move(bytes));
}

Parsed<std::string> port_bytes(Arguments& arguments) {
    const auto word = arguments.value("port");
    if (!word) return std::unexpected(word.error());
    const auto port = parse_u16(*word);
    if (port && *port == 0) {
        return std::unexpected(
            with_complaint(bad_value("macsec: port").error(), *word, "expected port != 0"));
    }
    if (!port) return std::unexpected(with_complaint(port.error(), *word, "expected port"));
    return bytes_of(htons(*port));
}

Parsed<void> read_sci_port(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    if (!scope.attributes().empty()) return declined(not_first);
    auto port = port_bytes(arguments);
    if (!port) return std::unexpected(port.error());
    return put_identifier(scope, option.attribute, std::move(*port));
}

// address LLADDR port N: together the SCI.
Parsed<void> read_sci_address(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    const auto word = arguments.value(option.word);
    if (!word) return std::unexpected(word.error());
    if (!scope.attributes().empty()) return declined(not_first);
    const auto address = parse_link_address(*word);
    if (!address || address->size != 6) return declined("macsec: address");
    // Without a port the address is lost.
    if (arguments.empty()) return put_identifier(scope, IFLA_MACSEC_PORT, bytes_of(uint16_t{0}));
    if (!arguments.take_if("port")) return declined("macsec: address without port");
    const auto port = port_bytes(arguments);
    if (!port) return std::unexpected(port.error());
    const auto bytes = address->span();
    return put_identifier(scope, option.attribute, std::string(bytes.begin(), bytes.end()) + *port);
}

Parsed<void> read_cipher(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    constexpr std::pair<const char*, uint64_t> ciphers[] = {
        {"default", MACSEC_DEFAULT_CIPHER_ID},
        {"gcm-aes-128", MACSEC_CIPHER_ID_GCM_AES_128},
        {"gcm-aes-256", MACSEC_CIPHER_ID_GCM_AES_256},
        {"gcm-aes-xpn-128", MACSEC_CIPHER_ID_GCM_AES_XPN_128},
        {"gcm-aes-xpn-256", MACSEC_CIPHER_ID_GCM_AES_XPN_256},
    };
    const auto word = arguments.value(option.word);
    if (!word) return std::unexpected(word.error());
    const std::string name(*word);
    for (const auto& [cipher, id] : ciphers) {
        if (strcasecmp(name.c_str(), cipher) == 0) return scope.put_number(option.attribute, id);
    }
    return declined("macsec: cipher");
}

Parsed<void> read_icv_length(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    const auto word = arguments.value(option.word);
    if (!word) return std::unexpected(word.error());
    const auto length = parse_u8(*word);
    if (!length) return std::unexpected(length.error());
    if (*length < min_icv || *length > max_icv) {
        return std::unexpected(with_complaint(bad_value("macsec: icvlen").error(), *word,
                                              "ICV length must be in the range {8..16}"));
    }
    return scope.put_number(option.attribute, *length);
}

// The first name that the word begins.
Parsed<void> read_switch_name(OptionScope& scope, const LinkOption& option, Arguments& arguments) {
    const auto word = arguments.value(option.word);
    if (!word) return std::unexpected(word.error());
    const auto found =
        std::ranges::find_if(option.names, [&](auto name) { return matches(*word, name); });
    if (found == option.names.end()) {
        return refused(fmt::format("Error: argument of \"{}\" must be one of \"{}\", not \"{}\"\n",
                                   option.word, fmt::join(option.names, "\", \""), *word),
                       1);
    }
    return scope.put_number(option.attribute, static_cast<uint8_t>(found - option.names.begin()));
}

constexpr LinkOption options[] = {
    {"sci", IFLA_MACSEC_SCI, read_sci, 0, {}, exact},
    {"address", IFLA_MACSEC_SCI, read_sci_address, 0, {}, exact},
    {"port", IFLA_MACSEC_PORT, read_sci_port, 0, {}, exact},
    {"cipher", IFLA_MACSEC_CIPHER_SUITE, read_cipher, 0, {}, exact},
    {"icvlen", IFLA_MACSEC_ICV_LEN, read_icv_length, 0, {}, exact, "expected ICV length"},
    {"encrypt", IFLA_MACSEC_ENCRYPT, read_on_off, 0, {}, exact},
    {"send_sci", IFLA_MACSEC_INC_SCI, read_on_off, 0, {}, exact},
    {"end_station", IFLA_MACSEC_ES, read_on_off, 0, {}, exact},
    {"scb", IFLA_MACSEC_SCB, read_on_off, 0, {}, exact},
    {"protect", IFLA_MACSEC_PROTECT, read_on_off, 0, {}, exact},
    {"replay", IFLA_MACSEC_REPLAY_PROTECT, read_on_off, 0, {}, exact},
    {"window", IFLA_MACSEC_WINDOW, read_u32, 0, {}, exact, "expected replay window size"},
    {"validate", IFLA_MACSEC_VALIDATION, read_switch_name, 0, validations, exact},
    {"encodingsa",
     IFLA_MACSEC_ENCODING_SA,
     read_u8,
     max_association,
     {},
     exact,
     "expected an { 0..3 }"},
    {"offload", IFLA_MACSEC_OFFLOAD, read_switch_name, 0, offloads, exact},
};

// iproute2 refuses combinations; a window belongs to replay protection.
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

const LinkKind macsec_kind{"macsec", options, finish};

}  // namespace nlsh
