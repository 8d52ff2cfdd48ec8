#include "parser/ip/route.h"

#include "parser/ip/command.h"

namespace nlsh {

Parsed<ObjectResult> parse_route(ParseContext&, Arguments) { return declined("route: not native"); }

}  // namespace nlsh
