#include "parser/ip/command.h"

#include <fmt/format.h>

#include <algorithm>

namespace nlsh {
namespace {

// Objects, in iproute2's order; an empty parser is an object that is handed over.
struct Object {
    std::string_view word;
    Parsed<ObjectResult> (*parse)(ParseContext&, Arguments);
    const char* name;
};

constexpr Object ip_objects[] = {
    {"address", parse_address_object, "address"},
    {"addrlabel", nullptr, nullptr},
    {"maddress", nullptr, nullptr},
    {"route", parse_route, "route"},
    {"rule", parse_rule, "rule"},
    {"neighbor", parse_neighbor, "neigh"},
    {"neighbour", parse_neighbor, "neigh"},
    {"ntable", nullptr, nullptr},
    {"ntbl", nullptr, nullptr},
    {"link", parse_link, "link"},
    {"l2tp", nullptr, nullptr},
    {"fou", nullptr, nullptr},
    {"ila", nullptr, nullptr},
    {"macsec", nullptr, nullptr},
    {"tunnel", nullptr, nullptr},
    {"tunl", nullptr, nullptr},
    {"tuntap", nullptr, nullptr},
    {"tap", nullptr, nullptr},
    {"token", nullptr, nullptr},
    {"tcpmetrics", nullptr, nullptr},
    {"tcp_metrics", nullptr, nullptr},
    {"monitor", nullptr, nullptr},
    {"xfrm", nullptr, nullptr},
    {"mroute", nullptr, nullptr},
    {"mrule", nullptr, nullptr},
    {"netns", nullptr, nullptr},
    {"netconf", nullptr, nullptr},
    {"vrf", nullptr, nullptr},
    {"sr", nullptr, nullptr},
    {"nexthop", parse_nexthop, "nexthop"},
};

constexpr Object bridge_objects[] = {
    {"link", parse_bridge_link, "bridge link"},
    {"fdb", parse_fdb, "fdb"},
    {"mdb", parse_mdb, "mdb"},
    {"vlan", parse_bridge_vlan, "vlan"},
    {"vni", parse_vni, "vni"},
};

Parsed<Command> parse_object(Options options, Arguments arguments, const NameTables& names) {
    if (options.color && !options.json) return declined("colour");
    if (names.corrupted) return declined("a file of /etc/iproute2 is corrupted");
    if (arguments.empty()) return declined("no object");
    const std::span<const Object> table =
        options.tool == Tool::ip ? std::span<const Object>(ip_objects) : bridge_objects;
    const std::string_view word = arguments.take();
    const auto hit =
        std::ranges::find_if(table, [&](const Object& o) { return matches(word, o.word); });
    if (hit == table.end() || hit->parse == nullptr)
        return declined(fmt::format("object {}", word));
    Command command;
    command.options = options;
    ParseContext context{.options = command.options, .names = names};
    auto result = hit->parse(context, arguments);
    if (!result) return std::unexpected(std::move(result.error()));
    command.request = std::move(result->request);
    command.summary = fmt::format("{} {}", hit->name, result->verb);
    command.read_only = result->read_only;
    if (options.loops && command.summary.ends_with(" flush")) return declined("flush with -loops");
    return command;
}

}  // namespace

Parsed<Command> parse_command(Tool tool, Words words, const NameTables& names) {
    const auto invocation = parse_invocation(tool, words);
    if (!invocation) return std::unexpected(invocation.error());
    if (!invocation->netns.empty()) return declined("option -netns");
    if (invocation->batch != 0) return declined("option -batch");
    return parse_command(*invocation, words, names);
}

Parsed<Command> parse_command(const Invocation& invocation, Words words, const NameTables& names) {
    return parse_object(invocation.options, Arguments(words.subspan(invocation.object)), names);
}

Parsed<Command> parse_batch_line(const Options& defaults, Words words, const NameTables& names) {
    Options options = defaults;
    options.batch = true;
    return parse_object(options, Arguments(words), names);
}

Parsed<ObjectResult> parse_verb(ParseContext& context, Arguments arguments,
                                std::span<const Verb> verbs,
                                Parsed<ObjectResult> (*none)(ParseContext&, Arguments)) {
    if (arguments.empty()) return none(context, arguments);
    const std::string_view word = arguments.take();
    const auto hit = std::ranges::find_if(verbs, [&](const Verb& verb) {
        return verb.exact ? verb.word == word : matches(word, verb.word);
    });
    if (hit == verbs.end() || hit->parse == nullptr) return declined(fmt::format("verb {}", word));
    return hit->parse(context, arguments);
}

}  // namespace nlsh
