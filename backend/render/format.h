// Small texts that several objects print.
#pragma once

#include <string>
#include <string_view>

#include "backend/net/attributes.h"
#include "parser/names.h"

namespace nlsh {

// inet_ntop of 4 or 16 bytes; "???" for other families or sizes (as iproute2's rt_addr_n2a).
std::string format_address(uint8_t family, Bytes bytes);
// A hardware address by its link type (ARPHRD_*): colon hex; IPv4 or IPv6 form for tunnels.
std::string format_link_address(Bytes bytes, uint16_t link_type);
std::string format_hex_bytes(Bytes bytes, char separator = ':');
// A number's name in a table, or the number (hexadecimal for address_protocol, and for dsfield,
// with at least two digits).
std::string format_name(const NameTables& names, NameKind kind, uint32_t number,
                        bool numeric = false);

}  // namespace nlsh
