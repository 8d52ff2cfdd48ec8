#include "parser/ip/family.h"

#include <sys/socket.h>

namespace nlsh {

Parsed<uint8_t> take_family(Arguments& arguments, uint8_t family) {
    if (arguments.take_if("inet")) return AF_INET;
    if (arguments.take_if("inet6")) return AF_INET6;
    for (const std::string_view other : {"link", "mpls", "bridge"}) {
        if (!arguments.empty() && arguments.peek() == other) return declined("another family");
    }
    return family;
}

}  // namespace nlsh
