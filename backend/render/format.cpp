#include "backend/render/format.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <linux/if_arp.h>
#include <sys/socket.h>

namespace nlsh {

std::string format_address(uint8_t family, Bytes bytes) {
    const size_t size = family == AF_INET ? 4 : family == AF_INET6 ? 16 : 0;
    char text[INET6_ADDRSTRLEN];
    if (size == 0 || bytes.size() < size ||
        inet_ntop(family, bytes.data(), text, sizeof text) == nullptr) {
        return "???";
    }
    return text;
}

std::string format_hex_bytes(Bytes bytes, char separator) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string text;
    text.reserve(bytes.size() * 3);
    for (const uint8_t byte : bytes) {
        if (!text.empty()) text += separator;
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

std::string format_link_address(Bytes bytes, uint16_t link_type) {
    const bool inet =
        link_type == ARPHRD_TUNNEL || link_type == ARPHRD_SIT || link_type == ARPHRD_IPGRE;
    const bool inet6 = link_type == ARPHRD_TUNNEL6 || link_type == ARPHRD_IP6GRE;
    if (inet && bytes.size() == 4) return format_address(AF_INET, bytes);
    if (inet6 && bytes.size() == 16) return format_address(AF_INET6, bytes);
    return format_hex_bytes(bytes);
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
