#include "backend/objects/link/words/vrf.h"
#include "parser/ip/refusal.h"

#include <sys/socket.h>

#include "parser/ip/command.h"

namespace nlsh {
namespace {

Parsed<Request> parse_show(ParseContext& context, Arguments arguments) {
    // An AF_INET6 dump has no VRFs.
    if (context.options.family == AF_INET6) return declined("vrf show: family");
    VrfShow show;
    if (!arguments.empty()) {
        const std::string_view word = arguments.take();
        if (matches(word, "help")) return declined("verb help");
        // "default" means the main table if no device has this name.
        if (word == "default") return declined("vrf show: default");
        auto name = parse_device(word);
        if (!name && arguments.empty()) return refused("Invalid VRF\n");
        if (!name) return std::unexpected(name.error());
        show.name = std::move(*name);
    }
    if (!arguments.empty()) return declined("vrf show: more words");
    return show;
}

constexpr Verb verbs[] = {
    {.words = {"identify"}},
    {.words = {"pids"}},
    {.words = {"exec"}},
    {.words = {"show", "lst", "list"}, .parse = parse_show, .is = shows_late},
};

}  // namespace

const Object vrf_object{.words = {"vrf"}, .name = "vrf", .verbs = {verbs}};

}  // namespace nlsh
