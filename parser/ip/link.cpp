#include "parser/ip/link.h"

#include "parser/ip/command.h"

namespace nlsh {

Parsed<ObjectResult> parse_link(ParseContext&, Arguments) { return declined("link: not native"); }

}  // namespace nlsh
