#include "parser/ip/address.h"

#include "parser/ip/command.h"

namespace nlsh {

Parsed<ObjectResult> parse_address_object(ParseContext&, Arguments) { return declined("address: not native"); }

}  // namespace nlsh
