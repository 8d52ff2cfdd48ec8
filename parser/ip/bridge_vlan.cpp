#include "parser/ip/bridge_vlan.h"

#include "parser/ip/command.h"

namespace nlsh {

Parsed<ObjectResult> parse_bridge_vlan(ParseContext&, Arguments) { return declined("bridge_vlan: not native"); }

}  // namespace nlsh
