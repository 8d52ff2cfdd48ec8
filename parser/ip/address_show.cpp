// `ip address show|flush`.
#include "parser/ip/address_object.h"

namespace nlsh {

Parsed<ObjectResult> parse_address_show(ParseContext&, Arguments) {
    return declined("address show: not native");
}

Parsed<ObjectResult> parse_address_flush(ParseContext&, Arguments) {
    return declined("address flush: not native");
}

}  // namespace nlsh
