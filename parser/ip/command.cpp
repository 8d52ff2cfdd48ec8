#include "parser/ip/command.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>

namespace nlsh {
namespace {

// Global options, in the order in which iproute2 tries them (facts, 1.1 and 1.2). A word without a
// handler is known to the real one and declined here.
using Apply = void (*)(Options&);

struct GlobalOption {
    std::string_view word;
    Apply apply;
    bool exact = false;
};

template <uint8_t Family>
void set_family(Options& options) {
    options.family = Family;
}

constexpr GlobalOption ip_options[] = {
    {"-loops", nullptr},
    {"-family", nullptr},
    {"-4", set_family<AF_INET>, true},
    {"-6", set_family<AF_INET6>, true},
    {"-0", set_family<AF_PACKET>, true},
    {"-M", nullptr, true},
    {"-B", nullptr, true},
    {"-human-readable", [](Options& o) { o.human = true; }},
    {"-iec", [](Options& o) { o.iec = true; }},
    {"-stats", [](Options& o) { ++o.statistics; }},
    {"-statistics", [](Options& o) { ++o.statistics; }},
    {"-details", [](Options& o) { ++o.details; }},
    {"-resolve", nullptr},
    {"-oneline", [](Options& o) { o.oneline = true; }},
    {"-timestamp", nullptr},
    {"-tshort", nullptr},
    {"-Version", nullptr},
    {"-force", nullptr},
    {"-batch", nullptr},
    {"-brief", [](Options& o) { o.brief = true; }},
    {"-json", [](Options& o) { o.json = true; }},
    {"-pretty", [](Options& o) { o.pretty = true; }},
    {"-rcvbuf", nullptr},
    {"-color", nullptr},
    {"-help", nullptr},
    {"-netns", nullptr},
    {"-Numeric", [](Options& o) { o.numeric = true; }},
    {"-all", nullptr},
    {"-echo", nullptr, true},
};

constexpr GlobalOption bridge_options[] = {
    {"-help", nullptr},
    {"-Version", nullptr},
    {"-stats", [](Options& o) { ++o.statistics; }},
    {"-statistics", [](Options& o) { ++o.statistics; }},
    {"-details", [](Options& o) { ++o.details; }},
    {"-oneline", [](Options& o) { o.oneline = true; }},
    {"-timestamp", nullptr},
    {"-family", nullptr},
    {"-4", set_family<AF_INET>, true},
    {"-6", set_family<AF_INET6>, true},
    {"-netns", nullptr},
    {"-color", nullptr},
    {"-compressvlans", [](Options& o) { o.compress_vlans = true; }},
    {"-force", nullptr},
    {"-json", [](Options& o) { o.json = true; }},
    {"-pretty", [](Options& o) { o.pretty = true; }},
    {"-batch", nullptr},
};

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
    {"mdb", nullptr, nullptr},
    {"vlan", parse_bridge_vlan, "vlan"},
};

Parsed<void> parse_options(Options& options, Arguments& arguments) {
    const std::span<const GlobalOption> table =
        options.tool == Tool::ip ? std::span<const GlobalOption>(ip_options) : bridge_options;
    while (!arguments.empty() && arguments.peek().starts_with('-')) {
        const std::string_view word = arguments.take();
        if (word == "--") break;
        // `-` alone matches nothing; `--word` is rare enough to leave to the real one.
        if (word.size() < 2 || word[1] == '-') return declined(fmt::format("option {}", word));
        const auto hit = std::ranges::find_if(table, [&](const GlobalOption& option) {
            return option.exact ? option.word == word : matches(word, option.word);
        });
        if (hit == table.end() || hit->apply == nullptr)
            return declined(fmt::format("option {}", word));
        hit->apply(options);
    }
    return {};
}

Parsed<Command> parse_object(Options options, Arguments arguments, const NameTables& names) {
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
    return command;
}

}  // namespace

Parsed<Command> parse_command(Tool tool, Words words, const NameTables& names) {
    Options options{.tool = tool};
    Arguments arguments(words);
    if (auto parsed = parse_options(options, arguments); !parsed)
        return std::unexpected(parsed.error());
    return parse_object(options, arguments, names);
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
