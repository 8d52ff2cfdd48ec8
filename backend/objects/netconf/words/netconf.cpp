#include "backend/objects/netconf/words/netconf.h"

#include <sys/socket.h>

#include "backend/objects/bridge/words/values.h"
#include "parser/ip/command.h"
#include "parser/ip/keywords.h"
#include "parser/try.h"

namespace nlsh {
namespace {

Parsed<Request> parse_show(ParseContext& context, Arguments arguments) {
    if (context.options.family == AF_PACKET) return declined("netconf: family");
    NetconfShow show;
    while (!arguments.empty()) {
        const std::string_view word = arguments.take();
        // iproute2 skips words that it doesn't know.
        if (matches(word, "help")) return declined("netconf: help");
        if (word != "dev") continue;
        // iproute2 looks up the first device before it reads on, but shows the second.
        if (!show.device.empty()) return declined("netconf: two devices");
        TRY(take_last(arguments, word, show.device, parse_device));
    }
    if (!show.device.empty()) context.is.not_in_batch = leaves_filter;
    return show;
}

constexpr Verb verbs[] = {{.words = {"show", "lst", "list"}, .parse = parse_show, .is = shows}};

}  // namespace

const Object netconf_object{
    .words = {"netconf"}, .name = "netconf", .verbs = {verbs}, .labels = true};

}  // namespace nlsh
