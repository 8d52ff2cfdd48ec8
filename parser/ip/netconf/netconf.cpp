#include "parser/ip/netconf/netconf.h"

#include <sys/socket.h>

#include "parser/ip/bridge/values.h"
#include "parser/ip/command.h"
#include "parser/ip/take_last.h"

namespace nlsh {
namespace {

Parsed<ObjectResult> parse_show(ParseContext& context, Arguments arguments) {
    if (context.options.family == AF_PACKET) return declined("netconf: family");
    NetconfShow show;
    while (!arguments.empty()) {
        const std::string_view word = arguments.take();
        // iproute2 skips words that it doesn't know.
        if (matches(word, "help")) return declined("netconf: help");
        if (word != "dev") continue;
        if (auto parsed = take_last(arguments, word, show.device, parse_device); !parsed) {
            return std::unexpected(parsed.error());
        }
    }
    // A filter stays for the lines after it.
    if (context.options.batch && !show.device.empty()) return declined("netconf dev in a batch");
    return ObjectResult{std::move(show), "show", true};
}

constexpr Verb verbs[] = {{"show", parse_show}, {"lst", parse_show}, {"list", parse_show}};

}  // namespace

Parsed<ObjectResult> parse_netconf(ParseContext& context, Arguments arguments) {
    return parse_verb(context, arguments, verbs, parse_show);
}

}  // namespace nlsh
