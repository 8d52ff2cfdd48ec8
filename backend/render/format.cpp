#include "backend/render/format.h"

#include <fmt/format.h>
#include <linux/if_arp.h>
#include <sys/socket.h>

namespace nlsh {

AddressText format_address(uint8_t family, Bytes bytes) {
    AddressText text;
    text.append(family, bytes);
    return text;
}

AddressText format_hex_bytes(Bytes bytes) {
    AddressText text;
    text.append_hex(bytes);
    return text;
}

std::string hex_string(Bytes bytes) {
    return fmt::format("{:02x}", fmt::join(bytes, ""));
}

AddressText format_link_address(Bytes bytes, uint16_t link_type) {
    const bool inet =
        link_type == ARPHRD_TUNNEL || link_type == ARPHRD_SIT || link_type == ARPHRD_IPGRE;
    const bool inet6 = link_type == ARPHRD_TUNNEL6 || link_type == ARPHRD_IP6GRE;
    if (inet && bytes.size() == 4) return format_address(AF_INET, bytes);
    if (inet6 && bytes.size() == 16) return format_address(AF_INET6, bytes);
    return format_hex_bytes(bytes);
}

std::string with_blank(std::string_view word) {
    std::string text(word);
    text += ' ';
    return text;
}

std::string format_name(const NameTables& names, NameKind kind, uint32_t number, bool numeric) {
    if (!numeric) {
        if (const std::string_view name = names[kind].name(number); !name.empty())
            return std::string(name);
    }
    if (kind == NameKind::address_protocol) return fmt::format("{:#x}", number);
    return kind == NameKind::dsfield ? fmt::format("{:#04x}", number) : fmt::format("{}", number);
}

}  // namespace nlsh
