#include "parser/ip/bridge_link.h"

#include "parser/ip/command.h"

namespace nlsh {

Parsed<ObjectResult> parse_bridge_link(ParseContext&, Arguments) { return declined("bridge_link: not native"); }

}  // namespace nlsh
