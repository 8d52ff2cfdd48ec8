#include "parser/ip/rule.h"

#include "parser/ip/command.h"

namespace nlsh {

Parsed<ObjectResult> parse_rule(ParseContext&, Arguments) { return declined("rule: not native"); }

}  // namespace nlsh
