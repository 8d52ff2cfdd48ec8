// Values that bridge and ip read without saying no: with atoi, with sscanf.
#pragma once

#include "parser/ip/bridge/values.h"

namespace nlsh {

// atoi: the digits at the beginning, or 0; declined are signs, blanks, and what is above `limit`.
Parsed<uint32_t> parse_leading_digits(std::string_view word, uint32_t limit);

// N or N-M, each as above.
Parsed<IdRange> parse_leading_range(std::string_view word, uint32_t limit);
// A VLAN or a range of them as bridge reads it with atoi; declined is what its short would wrap.
Parsed<IdRange> parse_vlan_range(std::string_view word);
// What bridge says of such a range before it asks the kernel.
Parsed<void> check_vlan_range(const IdRange& range);

// How many bytes bridge and ip make of a word that is no address of several bytes: 4 of an IPv4
// address, 1 of anything that begins with one or two hexadecimal digits; none: unknown.
std::optional<size_t> short_address_size(std::string_view word);
}  // namespace nlsh
