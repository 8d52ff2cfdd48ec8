// ip link property add | del dev DEVICE altname NAME …

#include <linux/if_link.h>
#include <linux/netlink.h>

#include <algorithm>

#include "backend/objects/link/words/verbs.h"
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

}  // namespace

template <LinkChange::Action Which>
Parsed<Request> parse_link_property(ParseContext&, Arguments arguments) {
    LinkChange request;
    request.action = Which;
    request.create = request.exclusive = request.append = Which == LinkChange::Action::add_property;
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

template Parsed<Request> parse_link_property<LinkChange::Action::add_property>(ParseContext&,
                                                                               Arguments);
template Parsed<Request> parse_link_property<LinkChange::Action::remove_property>(ParseContext&,
                                                                                  Arguments);

}  // namespace nlsh
