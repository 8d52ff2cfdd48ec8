#include "parser/ip/command.h"
#include "parser/ip/monitor/monitor.h"
#include "parser/ip/netns/netns.h"
#include "parser/ip/stats/stats.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>

#include "parser/ip/link/netns.h"
#include "parser/ip/refusal.h"

namespace nlsh {
namespace {

// Objects, in iproute2's order; an empty parser is an object that is handed over.
struct Object {
    std::string_view word;
    Parsed<ObjectResult> (*parse)(ParseContext&, Arguments);
    const char* name;
    bool refuses = false;  // its errors of one line have been compared with iproute2's
    bool labels = false;   // takes -M
};

constexpr Object ip_objects[] = {
    {"address", parse_address_object, "address", true},
    {"addrlabel", parse_addrlabel, "addrlabel", true},
    {"maddress", parse_maddress, "maddress", true},
    {"route", parse_route, "route", true, true},
    {"rule", parse_rule, "rule", true},
    {"neighbor", parse_neighbor, "neigh", true},
    {"neighbour", parse_neighbor, "neigh", true},
    {"ntable", parse_ntable, "ntable", true},
    {"ntbl", parse_ntable, "ntable", true},
    {"link", parse_link, "link", true},
    {"l2tp", nullptr, nullptr},
    {"fou", nullptr, nullptr},
    {"ila", nullptr, nullptr},
    {"macsec", nullptr, nullptr},
    {"tunnel", parse_tunnel, "tunnel", true},
    {"tunl", parse_tunnel, "tunnel", true},
    {"tuntap", parse_tuntap, "tuntap", true},
    {"tap", parse_tuntap, "tuntap", true},
    {"token", parse_token, "token", true},
    {"tcpmetrics", nullptr, nullptr},
    {"tcp_metrics", nullptr, nullptr},
    {"monitor", parse_monitor, "monitor", true},
    {"xfrm", nullptr, nullptr},
    {"mroute", nullptr, nullptr},
    {"mrule", nullptr, nullptr},
    {"netns", parse_netns, "netns", true},
    {"netconf", parse_netconf, "netconf", true, true},
    {"vrf", parse_vrf, "vrf", true},
    {"sr", nullptr, nullptr},
    {"nexthop", parse_nexthop, "nexthop", true},
    {"mptcp", nullptr, nullptr},
    {"ioam", nullptr, nullptr},
    {"help", nullptr, nullptr},
    {"stats", parse_stats, "stats", true},
};

constexpr Object bridge_objects[] = {
    {"link", parse_bridge_link, "bridge link", true},
    {"fdb", parse_fdb, "fdb", true},
    {"mdb", parse_mdb, "mdb", true},
    {"vlan", parse_bridge_vlan, "vlan", true},
    {"vni", parse_vni, "vni", true},
    {"monitor", parse_monitor, "monitor", true},
};

// The shows whose colours are known; by a command's summary.
constexpr std::string_view colored_shows[] = {"link show",
                                              "address show",
                                              "route show",
                                              "route get",
                                              "rule show",
                                              "neigh show",
                                              "neigh get",
                                              "nexthop show",
                                              "nexthop get",
                                              "nexthop bucket show",
                                              "nexthop bucket get",
                                              "bridge link show",
                                              "fdb show",
                                              "fdb get",
                                              "vlan show",
                                              "vlan tunnelshow",
                                              "vlan global show",
                                              "monitor show",
                                              "addrlabel show",
                                              "token show",
                                              "token get",
                                              "netconf show",
                                              "ntable show",
                                              "vrf show",
                                              "netns list",
                                              "netns list-id",
                                              "netns identify",
                                              "netns pids",
                                              "stats show",
                                              "link xstats",
                                              "link afstats",
                                              "maddress show",
                                              "mdb show"};

// iproute2 writes these out when something else is, or at its end: in a batch their place among
// the messages of other lines would be another.
constexpr std::string_view late_shows[] = {
    "addrlabel show", "maddress show", "vrf show",      "stats show",     "link xstats",
    "link afstats",   "netns list",    "netns list-id", "netns identify", "netns pids"};

bool has_unknown_colors(const Command& command) {
    if (command.options.color == ColorMode::never || command.options.json) return false;
    return command.read_only &&
           std::ranges::find(colored_shows, std::string_view(command.summary)) ==
               std::end(colored_shows);
}

// Why the real one must make a change with -echo: what is printed after a change can't be handed
// over any more. Empty: it needn't.
std::string unechoable(const Command& command, Words words) {
    const Options& options = command.options;
    if (!options.echo || command.read_only) return {};
    if (options.batch) return "batch: option -echo";
    if (!command.summary.starts_with("link ")) return {};
    if (options.details > 0 || options.statistics > 0) return "details of a link with -echo";
    // Its name may be a number to the kernel only.
    const auto names_namespace = [](const std::string& word) { return word.contains("netns"); };
    return std::ranges::any_of(words, names_namespace) ? "a link's namespace with -echo" : "";
}

// "ip address"; an object of bridge's may have the tool in its name already.
std::string full_name(Tool tool, const Object& object) {
    const std::string_view name = object.name;
    return std::string(tool == Tool::ip ? "ip " : "bridge ")
        .append(name.substr(name.starts_with("bridge ") ? 7 : 0));
}

Parsed<Command> refusal(Command command, const Object& object, Words words, Decline decline) {
    // bridge's "master" is a flag.
    const bool looks_up = command.options.tool == Tool::ip && may_look_up(words);
    if (!object.refuses || decline.message.empty() || looks_up) {
        return std::unexpected(std::move(decline));
    }
    command.request =
        RefusedCommand{.message = std::move(decline.message), .status = decline.status};
    command.summary = fmt::format("{} refused", object.name);
    command.read_only = true;
    return command;
}

// A word that begins "help", or Debian's "moo", is an object.
Parsed<Command> unknown_object(Command command, std::string_view word) {
    constexpr std::string_view others[] = {"help", "moo"};
    if (std::ranges::any_of(others, [&](auto other) { return matches(word, other); })) {
        return declined(fmt::format("object {}", word));
    }
    const std::string_view tool = command.options.tool == Tool::ip ? "ip" : "bridge";
    command.request = RefusedCommand{
        .message = fmt::format("Object \"{}\" is unknown, try \"{} help\".\n", word, tool),
        .status = command.options.tool == Tool::ip ? 1 : 255};
    command.summary = "object refused";
    command.read_only = true;
    return command;
}

Parsed<Command> parse_object(Options options, Arguments arguments, const NameTables& names,
                             LinkKinds kinds) {
    if (names.corrupted) return declined("a file of /etc/iproute2 is corrupted");
    if (arguments.empty()) return declined("no object");
    const std::span<const Object> table =
        options.tool == Tool::ip ? std::span<const Object>(ip_objects) : bridge_objects;
    const std::string_view word = arguments.take();
    const auto hit =
        std::ranges::find_if(table, [&](const Object& o) { return matches(word, o.word); });
    Command command;
    command.options = options;
    if (hit == table.end()) return unknown_object(std::move(command), word);
    if (hit->parse == nullptr) return declined(fmt::format("object {}", word));
    if (options.family == AF_MPLS && !hit->labels) return declined("option -M");
    const std::string object = full_name(options.tool, *hit);
    ParseContext context{
        .options = command.options, .names = names, .kinds = kinds, .object = object};
    auto result = hit->parse(context, arguments);
    if (names.corrupted) return declined("a file of /etc/iproute2 is corrupted");  // found just now
    if (!result)
        return refusal(std::move(command), *hit, arguments.rest(), std::move(result.error()));
    command.request = std::move(result->request);
    command.summary.append(hit->name).append(" ").append(result->verb);
    command.read_only = result->read_only;
    if (has_unknown_colors(command)) return declined("colour of " + command.summary);
    if (auto reason = unechoable(command, arguments.rest()); !reason.empty())
        return declined(std::move(reason));
    if (options.loops && command.summary.ends_with(" flush")) return declined("flush with -loops");
    return command;
}

Parsed<Command> option_refusal(Tool tool, const Decline& decline) {
    if (decline.message.empty()) return std::unexpected(decline);
    Command command;
    command.options.tool = tool;
    command.request = RefusedCommand{.message = decline.message, .status = decline.status};
    command.summary = "option refused";
    command.read_only = true;
    return command;
}

}  // namespace

Parsed<Command> parse_command(Tool tool, Words words, const NameTables& names, LinkKinds kinds) {
    const auto invocation = parse_invocation(tool, words);
    if (!invocation) return option_refusal(tool, invocation.error());
    if (invocation->batch != 0) return declined("option -batch");
    return parse_command(*invocation, words, names, kinds);
}

Parsed<Command> parse_command(const Invocation& invocation, Words words, const NameTables& names,
                              LinkKinds kinds) {
    auto command =
        parse_object(invocation.options, Arguments(words.subspan(invocation.object)), names, kinds);
    if (command) command->netns = invocation.netns;
    return command;
}

bool only_in_process(const Command& command) {
    const Request& request = command.request;
    if (const auto* identify = request.get_if<NetnsIdentify>()) {
        return !identify->process.empty();
    }
    if (const auto* link = request.get_if<LinkChange>()) return depends_on_viewer(*link);
    return request.is<Monitor>() || request.is<NetnsFile>() || request.is<NetnsPids>();
}

Parsed<Command> parse_batch_line(const Options& defaults, Words words, const NameTables& names,
                                 LinkKinds kinds) {
    Options options = defaults;
    options.batch = true;
    auto command = parse_object(options, Arguments(words), names, kinds);
    if (command && command->request.is<Monitor>()) return declined("batch: a monitor has no end");
    // Some refusals are of the line, some end the batch.
    if (command && command->request.is<RefusedCommand>())
        return declined("batch: " + command->summary);
    if (command &&
        std::ranges::find(late_shows, std::string_view(command->summary)) != std::end(late_shows)) {
        return declined("batch: " + command->summary + " is written late");
    }
    return command;
}

Parsed<ObjectResult> parse_verb(ParseContext& context, Arguments arguments,
                                std::span<const Verb> verbs,
                                Parsed<ObjectResult> (*none)(ParseContext&, Arguments),
                                bool explained) {
    if (arguments.empty()) return none(context, arguments);
    const std::string_view word = arguments.take();
    const auto hit = std::ranges::find_if(verbs, [&](const Verb& verb) {
        return verb.exact ? verb.word == word : matches(word, verb.word);
    });
    if (hit == verbs.end() && explained && !matches(word, "help")) {
        return refused(
            fmt::format("Command \"{}\" is unknown, try \"{} help\".\n", word, context.object));
    }
    if (hit == verbs.end() || hit->parse == nullptr) return declined(fmt::format("verb {}", word));
    return hit->parse(context, arguments);
}

}  // namespace nlsh
