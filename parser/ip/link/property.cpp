#include "parser/ip/link/property.h"
#include "parser/ip/link/link.h"

#include <linux/if_link.h>
#include <linux/netlink.h>

#include <algorithm>

#include "parser/ip/refusal.h"
#include "parser/try.h"

namespace nlsh {
namespace {

constexpr size_t max_name = 127;
constexpr size_t max_names = 6;  // iproute2's request holds 1024 bytes

Parsed<LinkAttribute> parse_altname(Arguments& arguments) {
    const auto word = TRY(arguments.value("altname"));
    const bool plain = std::ranges::all_of(word, [](char c) { return c > ' ' && c != '/'; });
    if (word.empty() || word.size() > max_name || !plain) return declined("link: bad altname");
    return LinkAttribute{IFLA_ALT_IFNAME, std::string(word) + '\0'};
}

Parsed<Request> parse_names(Arguments arguments, LinkChange request) {
    LinkNest names;
    while (!arguments.empty()) {
        if (arguments.take_if("altname")) {
            names.attributes.push_back(TRY(parse_altname(arguments)));
            continue;
        }
        const std::string_view word = arguments.take();
        const auto device = word == "dev" ? arguments.value("dev") : Parsed<std::string_view>(word);
        const bool keyword = word != "dev" && (matches(word, "altname") || matches(word, "help") ||
                                               matches(word, "dev"));
        if (!device || keyword || !request.device.empty()) return declined("link: property words");
        request.device = TRY(parse_device(*device));
    }
    if (request.device.empty() || names.attributes.size() > max_names) {
        return declined("link: property words");
    }
    request.attributes.push_back({IFLA_PROP_LIST | NLA_F_NESTED, std::move(names)});
    return request;
}

}  // namespace

Parsed<Request> parse_link_property(ParseContext& context, Arguments arguments) {
    if (arguments.empty()) return declined("link: property without a word");
    const std::string_view word = arguments.take();
    LinkChange request;
    if (matches(word, "add")) {
        context.verb = "property add";
        request.action = LinkChange::Action::add_property;
        request.create = request.exclusive = request.append = true;
        return parse_names(arguments, std::move(request));
    }
    if (matches(word, "help")) return declined("link: property help");
    if (!matches(word, "del")) return refused("Operator required\n");
    context.verb = "property del";
    request.action = LinkChange::Action::remove_property;
    return parse_names(arguments, std::move(request));
}

}  // namespace nlsh
