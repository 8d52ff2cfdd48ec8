// Values that several commands for routes take.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "parser/ip/arguments.h"
#include "parser/names.h"
#include "parser/try.h"

namespace nlsh {

// A route's type (RTN_*) by name (some names may be abbreviated) or by number.
Parsed<uint8_t> parse_route_type(std::string_view word);
// A name of /etc/iproute2 or a number of one byte.
Parsed<uint8_t> parse_named_u8(const NameTables& names, NameKind kind, std::string_view word);
// For rows: puts a name's number into a field of a state that has `names`.
template <auto Field, NameKind Kind, typename State>
Parsed<void> last_named(State& state, Arguments& arguments) {
    state.*Field = TRY(parse_named_u8(state.names, Kind, TRY(arguments.value("a keyword"))));
    return {};
}
// The number of a routing table; 0: no table has this name.
Parsed<uint32_t> parse_table(const NameTables& names, std::string_view word);
// TO or FROM/TO, in the form of RTA_FLOW.
Parsed<uint32_t> parse_realms(const NameTables& names, std::string_view word);
// The device name after a keyword.
Parsed<void> take_device(std::string& device, Arguments& arguments);
// "default", "any" and "all" stand for addresses that the kernel takes only as prefixes.
bool is_address_word(std::string_view word);
// A full address; no prefix, no word.
Parsed<InetPrefix> parse_route_prefix(std::string_view word, uint8_t family);
Parsed<InetPrefix> parse_plain_address(std::string_view word, uint8_t family);

}  // namespace nlsh
