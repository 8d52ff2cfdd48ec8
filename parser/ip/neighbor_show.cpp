// `ip neighbor show|flush`.
#include "parser/ip/neighbor_object.h"

namespace nlsh {

Parsed<ObjectResult> parse_neighbor_show(ParseContext&, Arguments) {
    return declined("neighbor show: not native");
}

Parsed<ObjectResult> parse_neighbor_flush(ParseContext&, Arguments) {
    return declined("neighbor flush: not native");
}

}  // namespace nlsh
