// argv of ip or bridge -> a typed request.
#pragma once

#include "parser/ip/arguments.h"
#include "parser/ip/global_options.h"
#include "parser/ip/link/kinds.h"
#include "parser/ip/request.h"
#include "parser/names.h"

namespace nlsh {

// What an object's parser may look at besides its words.
struct ParseContext {
    Options& options;         // -4/-6 …; a parser may set the family that a word implies
    const NameTables& names;  // /etc/iproute2
    LinkKinds kinds = {};
    std::string_view object = {};  // its name in full, as messages have it: "ip address"
};

// `words` are those after the program's name. Pure: no system calls.
Parsed<Command> parse_command(Tool tool, Words words, const NameTables& names,
                              LinkKinds kinds = {});
// The same for one whose global options have been read: in the namespace that -netns asks for.
Parsed<Command> parse_command(const Invocation& invocation, Words words, const NameTables& names,
                              LinkKinds kinds = {});
// The same for a line of a batch: `defaults` are the options before -batch, none may follow.
Parsed<Command> parse_batch_line(const Options& defaults, Words words, const NameTables& names,
                                 LinkKinds kinds = {});

// It ends with its reader only, makes mounts, or looks at processes: what runs it must be the
// caller's own process.
bool only_in_process(const Command& command);

// One function for each object: the verb and all after it, "" or nothing means show.
// They live beside their request types (parser/ip/link/link.cpp, …).
struct ObjectResult {
    Request request;
    const char* verb;  // in full: "add", "show", …
    bool read_only;
};
Parsed<ObjectResult> parse_link(ParseContext& context, Arguments arguments);
Parsed<ObjectResult> parse_address_object(ParseContext& context, Arguments arguments);
Parsed<ObjectResult> parse_route(ParseContext& context, Arguments arguments);
Parsed<ObjectResult> parse_rule(ParseContext& context, Arguments arguments);
Parsed<ObjectResult> parse_neighbor(ParseContext& context, Arguments arguments);
Parsed<ObjectResult> parse_nexthop(ParseContext& context, Arguments arguments);
Parsed<ObjectResult> parse_tunnel(ParseContext& context, Arguments arguments);
Parsed<ObjectResult> parse_tuntap(ParseContext& context, Arguments arguments);
Parsed<ObjectResult> parse_bridge_link(ParseContext& context, Arguments arguments);
Parsed<ObjectResult> parse_fdb(ParseContext& context, Arguments arguments);
Parsed<ObjectResult> parse_bridge_vlan(ParseContext& context, Arguments arguments);
Parsed<ObjectResult> parse_monitor(ParseContext& context, Arguments arguments);
Parsed<ObjectResult> parse_mdb(ParseContext& context, Arguments arguments);
Parsed<ObjectResult> parse_vni(ParseContext& context, Arguments arguments);
Parsed<ObjectResult> parse_netns(ParseContext& context, Arguments arguments);
Parsed<ObjectResult> parse_stats(ParseContext& context, Arguments arguments);
Parsed<ObjectResult> parse_addrlabel(ParseContext& context, Arguments arguments);
Parsed<ObjectResult> parse_token(ParseContext& context, Arguments arguments);
Parsed<ObjectResult> parse_netconf(ParseContext& context, Arguments arguments);
Parsed<ObjectResult> parse_ntable(ParseContext& context, Arguments arguments);
Parsed<ObjectResult> parse_vrf(ParseContext& context, Arguments arguments);
Parsed<ObjectResult> parse_maddress(ParseContext& context, Arguments arguments);

// Verbs of an object, in the order in which iproute2 tries them.
struct Verb {
    std::string_view word;
    Parsed<ObjectResult> (*parse)(ParseContext&, Arguments);
    bool exact = false;
};
// Declines a word that no verb matches, and `explained` with iproute2's usual message; no word
// takes the verb `none`.
Parsed<ObjectResult> parse_verb(ParseContext& context, Arguments arguments,
                                std::span<const Verb> verbs,
                                Parsed<ObjectResult> (*none)(ParseContext&, Arguments),
                                bool explained = true);

}  // namespace nlsh
