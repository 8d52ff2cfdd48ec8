// Small texts that several objects print.
#pragma once

#include <string>
#include <string_view>

#include "backend/net/attributes.h"
#include "backend/render/address_text.h"
#include "parser/names.h"

namespace nlsh {

AddressText format_address(uint8_t family, Bytes bytes);
// A hardware address by its link type (ARPHRD_*): colon hex; IPv4 or IPv6 form for tunnels.
AddressText format_link_address(Bytes bytes, uint16_t link_type);
AddressText format_hex_bytes(Bytes bytes);
// Without colons.
std::string hex_string(Bytes bytes);
// A word before its value.
std::string with_blank(std::string_view word);
// A number's name in a table, or the number (hexadecimal for address_protocol, and for dsfield,
// with at least two digits).
std::string format_name(const NameTables& names, NameKind kind, uint32_t number,
                        bool numeric = false);

}  // namespace nlsh
