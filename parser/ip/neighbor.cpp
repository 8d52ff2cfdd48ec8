#include "parser/ip/neighbor.h"

#include "parser/ip/command.h"

namespace nlsh {

Parsed<ObjectResult> parse_neighbor(ParseContext&, Arguments) { return declined("neighbor: not native"); }

}  // namespace nlsh
