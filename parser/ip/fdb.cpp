#include "parser/ip/fdb.h"

#include "parser/ip/command.h"

namespace nlsh {

Parsed<ObjectResult> parse_fdb(ParseContext&, Arguments) { return declined("fdb: not native"); }

}  // namespace nlsh
