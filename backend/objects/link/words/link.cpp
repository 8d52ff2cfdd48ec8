#include "backend/objects/link/words/link.h"

#include <linux/if_ether.h>
#include <linux/if_link.h>
#include <linux/netlink.h>

#include <algorithm>
#include <climits>

#include "backend/objects/link/words/kind.h"
#include "backend/objects/link/words/options.h"
#include "backend/objects/link/words/show.h"
#include "backend/objects/link/words/verbs.h"
#include "parser/ip/command.h"
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

// property add, property del: dev DEVICE altname NAME …
template <LinkChange::Action Which>
Parsed<Request> parse_property(ParseContext&, Arguments arguments) {
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

// iproute2 builds the request in 1024 bytes; longer requests fall back.
constexpr size_t max_request = 900;

using NetnsTest = bool (*)(const LinkNetns&);

// Whether one of the attributes is a network namespace that passes the test.
bool any_netns(const std::vector<LinkAttribute>& attributes, NetnsTest test) {
    return std::ranges::any_of(attributes, [test](const LinkAttribute& attribute) {
        if (const auto* nest = std::get_if<LinkNest>(&attribute.value)) {
            return any_netns(nest->attributes, test);
        }
        const auto* netns = std::get_if<LinkNetns>(&attribute.value);
        return netns != nullptr && test(*netns);
    });
}

size_t encoded_size(const std::vector<LinkAttribute>& attributes) {
    size_t size = 0;
    for (const LinkAttribute& attribute : attributes) {
        size += 4 + 4;  // the header, and at most the padding or an ifindex
        if (const auto* bytes = std::get_if<std::string>(&attribute.value)) size += bytes->size();
        if (const auto* kept = std::get_if<LinkKept>(&attribute.value)) size += kept->value.size();
        if (const auto* nest = std::get_if<LinkNest>(&attribute.value)) {
            size += nest->header.size() + encoded_size(nest->attributes);
        }
    }
    return size;
}

Parsed<Request> finished(ParseContext& context, LinkChange request) {
    if (encoded_size(request.attributes) + encoded_size(request.info) > max_request) {
        return declined("link: large request");
    }
    const auto any = [&](NetnsTest test) {
        return any_netns(request.attributes, test) || any_netns(request.info, test);
    };
    context.is.in_process = any(depends_on_viewer);
    context.is.opens_netns = any([](const LinkNetns&) { return true; });
    return request;
}

// Reads the remaining words: none, or `type KIND …`.
Parsed<void> parse_type(const ParseContext& context, bool create, Arguments& arguments,
                        LinkChange& request) {
    if (!arguments.take_if("type")) return {};
    request.info.push_back(TRY(parse_link_info(context, create, arguments)));
    return {};
}

void put_name(LinkChange& request, const std::string& name) {
    if (!name.empty()) request.info.push_back({IFLA_IFNAME, name + '\0'});
}

// Whether the options so far name devices or namespaces, which iproute2 has looked up by now.
bool has_looked_up(const LinkChange& request) {
    return std::ranges::any_of(request.attributes, [](const LinkAttribute& attribute) {
        return std::holds_alternative<LinkDevice>(attribute.value) ||
               std::holds_alternative<LinkNetns>(attribute.value);
    });
}

Words read_words(Words words, const Arguments& rest) {
    return words.first(words.size() - rest.rest().size());
}

// iproute2 reads the kind's options after it has looked up `device`. Some options name another
// device, which iproute2 looks up at once: then nlsh can't tell which error comes first. `words`
// are the words so far: type KIND …
Parsed<Request> refused_kind(Decline decline, Words words, const std::string& device) {
    constexpr std::string_view devices[] = {"dev", "link", "primary", "active_slave",
                                            "backup_port"};
    const bool unclear = std::ranges::any_of(words, [&](const std::string& word) {
        return std::ranges::any_of(devices, [&](auto keyword) { return matches(word, keyword); });
    });
    if (decline.message.empty()) return std::unexpected(std::move(decline));
    if (words.size() == 1)
        return std::unexpected(std::move(decline));  // without a kind, nothing was looked up
    if (unclear || may_look_up(words.subspan(2)))
        return std::unexpected(unexplained(std::move(decline)));
    RefusedCommand refusal{.message = std::move(decline.message), .status = decline.status};
    if (!device.empty()) refusal.lookups.push_back({device});
    return refusal;
}

// A new link. If it has no name, the kernel picks one.
template <bool Replace>
Parsed<Request> parse_create(ParseContext& context, Arguments arguments) {
    OptionScope scope(context, true);
    TRY(read_link_options(scope, arguments));
    const auto name = TRY(new_link_name(scope, arguments));
    if (arguments.empty()) {
        auto refusal = refused("Not enough information: \"type\" argument is required\n", 1);
        if (scope.head().link.empty()) return refusal;
        return refused_after(scope.head().link, std::move(refusal.error()));
    }
    LinkChange request;
    request.create = true;
    request.replace = Replace;
    request.exclusive = !Replace;
    request.ifindex = scope.head().ifindex;
    request.flags = scope.head().flags;
    request.change = scope.head().change;
    request.attributes = std::move(scope.attributes());
    if (!scope.head().link.empty()) {
        request.info.push_back({IFLA_LINK, LinkDevice{scope.head().link}});
    }
    put_name(request, name);
    const Words kind_words = arguments.rest();
    if (auto type = parse_type(context, true, arguments, request); !type) {
        if (has_looked_up(request)) return std::unexpected(unexplained(std::move(type.error())));
        return refused_kind(std::move(type.error()), read_words(kind_words, arguments),
                            scope.head().link);
    }
    return finished(context, std::move(request));
}

// Existing links: one by name, or all links of a group.
template <LinkChange::Action Action>
Parsed<Request> parse_existing(ParseContext& context, Arguments arguments) {
    OptionScope scope(context, false);
    TRY(read_link_options(scope, arguments));
    const LinkHead& head = scope.head();
    LinkChange request;
    request.action = Action;
    request.device = head.device.empty() ? head.name : head.device;
    if (head.ifindex != 0) {
        if (!context.options.traits.has(Trait::words_of_6_1)) return declined("link: index");
        return refused(
            "index can be used only when creating devices or when moving device to another "
            "netns.\n");
    }
    const bool group = request.device.empty();
    if (group && !scope.has(IFLA_GROUP)) {
        if (arguments.rest().size() == 1) return declined("link: type without a kind");
        return refused("Not enough information: \"dev\" argument is required.\n");
    }
    request.flags = head.flags;
    request.change = head.change;
    request.attributes = std::move(scope.attributes());
    for (const LinkAttribute& attribute : request.attributes) {
        const bool function = has_function_address(attribute);
        if (attribute.type != IFLA_ADDRESS && !function) continue;
        if (group) return declined("link: address of a group");
        const size_t size = function ? ETH_ALEN : std::get<std::string>(attribute.value).size();
        if (request.address_size.value_or(size) != size)
            return declined("link: addresses of two sizes");
        request.address_size = static_cast<uint8_t>(size);
    }
    if (head.name != request.device) put_name(request, head.name);
    const Words kind_words = arguments.rest();
    if (auto type = parse_type(context, false, arguments, request); !type) {
        if (has_looked_up(request)) return std::unexpected(unexplained(std::move(type.error())));
        return refused_kind(std::move(type.error()), read_words(kind_words, arguments),
                            request.device);
    }
    return finished(context, std::move(request));
}

constexpr VerbProperties changes(BatchMemory memory) {
    return {.echoes_link = true, .queued = true, .memory = memory};
}

constexpr Verb property_verbs[] = {
    {.words = {"add"},
     .parse = parse_property<LinkChange::Action::add_property>,
     .is = changes({.names_link = true})},
    {.words = {"help"}},
    {.words = {"del"},
     .parse = parse_property<LinkChange::Action::remove_property>,
     .is = changes({.deletes_others = true})},
};

constexpr Verb verbs[] = {
    {.words = {"add"}, .parse = parse_create<false>, .is = changes({.names_link = true})},
    {.words = {"set", "change"},
     .parse = parse_existing<LinkChange::Action::change>,
     .is = changes({.renames_link = true})},
    {.words = {"replace"},
     .parse = parse_create<true>,
     .is = changes({.names_link = true, .renames_link = true})},
    {.words = {"delete"},
     .parse = parse_existing<LinkChange::Action::remove>,
     .is = changes({.deletes_link = true, .deletes_others = true})},
    {.words = {"show", "lst", "list"},
     .parse = parse_link_show,
     .is = {.read_only = true, .colored = true, .memory = {.shows_links = true}}},
    {.words = {"xstats"}, .parse = parse_link_xstats, .is = shows_late},
    {.words = {"afstats"}, .parse = parse_link_afstats, .is = shows_late},
    {.words = {"property"},
     .verbs = {.rows = property_verbs, .none = {}, .refusal = "Operator required\n"}},
};

}  // namespace

bool depends_on_viewer(const LinkNetns& netns) {
    return netns.name.contains('/') || parse_u32(netns.name, INT_MAX);
}

const Object link_object{
    .words = {"link"}, .name = "link", .verbs = {verbs}, .bridge_family = true};

}  // namespace nlsh
