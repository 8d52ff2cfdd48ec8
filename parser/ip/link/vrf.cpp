#include "parser/ip/link/vrf.h"
#include "parser/ip/refusal.h"

#include <sys/socket.h>

#include "parser/ip/command.h"

namespace nlsh {
namespace {

Parsed<ObjectResult> parse_show(ParseContext& context, Arguments arguments) {
    // A dump of AF_INET6 has no VRFs.
    if (context.options.family == AF_INET6) return declined("vrf show: family");
    VrfShow show;
    if (!arguments.empty()) {
        const std::string_view word = arguments.take();
        if (matches(word, "help")) return declined("verb help");
        auto name = parse_device(word);
        if (!name && arguments.empty()) return refused("Invalid VRF\n");
        if (!name) return std::unexpected(name.error());
        show.name = std::move(*name);
    }
    if (!arguments.empty()) return declined("vrf show: more words");
    return ObjectResult{std::move(show), "show", true};
}

constexpr Verb verbs[] = {
    {"identify", nullptr}, {"pids", nullptr},   {"exec", nullptr},
    {"show", parse_show},  {"lst", parse_show}, {"list", parse_show},
};

}  // namespace

Parsed<ObjectResult> parse_vrf(ParseContext& context, Arguments arguments) {
    return parse_verb(context, arguments, verbs, parse_show);
}

}  // namespace nlsh
