// Parses argv of ip or bridge into a typed request.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parser/ip/arguments.h"
#include "parser/ip/global_options.h"
#include "parser/ip/kinds.h"
#include "parser/ip/request.h"
#include "parser/names.h"

namespace nlsh {

// `words` come after the program's name; the program's build has `traits`. Makes no system calls.
Parsed<Command> parse_command(Tool tool, Words words, const NameTables& names, LinkKinds kinds = {},
                              Traits traits = iproute2_6_1());
// The same after the global options have been read; the command runs in the namespace of -netns.
Parsed<Command> parse_command(const Invocation& invocation, Words words, const NameTables& names,
                              LinkKinds kinds = {});
// The same for a line of a batch. `defaults` are the options before -batch; a line has none.
Parsed<Command> parse_batch_line(const Options& defaults, Words words, const NameTables& names,
                                 LinkKinds kinds = {});

// What an object's parser gets besides the words, and returns besides the request.
struct ParseContext {
    Options& options;              // -4/-6 …; a parser may set the family that a word implies
    const NameTables& names;       // /etc/iproute2
    LinkKinds kinds = {};          // the registry that options of links are looked up in
    std::string_view object = {};  // its name in full, as messages have it: "ip address"
    std::string verb = {};         // the name of the verb's row: "show", "bucket get"
    VerbProperties is = {};        // from the verb's row; a parser may refine it
};

// Reads what follows an object or a verb.
using ParseWords = Parsed<Request> (*)(ParseContext& context, Arguments arguments);

struct Verb;
struct Object;
// Verbs of an object, or of a verb, in the order in which iproute2 tries them.
struct Verbs {
    std::span<const Verb> rows;
    std::string_view none = "show";  // the row for a missing verb, named by its first word
    // The message for an unknown word; {} stand for the word and the object. Empty: it is declined.
    std::string_view refusal = "Command \"{}\" is unknown, try \"{} help\".\n";
};

struct Verb {
    std::array<std::string_view, 3> words;  // tried in this order; the first is the verb's name
    ParseWords parse = nullptr;             // null without verbs: falls back
    Verbs verbs = {};                       // tried next
    std::string_view name = {};             // empty: the first word
    bool exact = false;                     // otherwise any non-empty prefix matches
    VerbProperties is = {};
    Trait since = Trait::always;
    Trait until = Trait::never;
};
// The properties of most shows.
inline constexpr VerbProperties shows{.read_only = true, .colored = true};
inline constexpr const char* may_fail_halfway = "may fail halfway";
inline constexpr VerbProperties flushes{.flushes = true, .not_in_batch = may_fail_halfway};
// A show's filter that iproute2 forgets to clear.
inline constexpr const char* leaves_filter = "leaves its filter to the lines after it";
inline constexpr VerbProperties shows_filtered{
    .read_only = true, .colored = true, .not_in_batch = leaves_filter};
// iproute2 buffers this output, so that in a batch it appears at another place among the messages
// of other lines.
inline constexpr const char* written_late = "is written late";
inline constexpr VerbProperties shows_late{
    .read_only = true, .colored = true, .not_in_batch = written_late};

// The objects of a tool, in the order in which iproute2 tries them.
std::span<const Object* const> objects_of(Tool tool);

// The words that follow the object's name.
struct Object {
    std::array<std::string_view, 2> words;
    std::string_view name;  // for summaries
    Verbs verbs = {};
    ParseWords parse = nullptr;   // instead of parse_verb(), which it may call
    std::string_view title = {};  // for messages; empty: the tool and the name
    bool labels = false;          // takes -M
    bool bridge_family = false;   // takes -B
    Trait since = Trait::always;
    Trait until = Trait::never;
    // Programs search its usage text for features of the build, so nlsh caches the text of a build
    // that it has asked, and prints it.
    bool keeps_usage = false;
};

#define NLSH_DECLARE(NAME, ...) extern const Object NAME##_object;
NLSH_OBJECTS(NLSH_DECLARE, NLSH_DECLARE, NLSH_NOTHING, NLSH_NOTHING, NLSH_NOTHING)
#undef NLSH_DECLARE

// Declines with an error that follows the look-ups of `devices` (an empty name: no look-up).
// Without a message, this remains a plain decline. `missing` replaces the text for a missing
// device; {} stands for its name.
Parsed<Request> refused_after(const std::vector<std::string>& devices, Decline decline,
                              const char* missing = nullptr);
// The same for one device.
Parsed<Request> refused_after(const std::string& device, Decline decline,
                              const char* missing = nullptr);

// The object for a word; null: none.
Parsed<const Object*> find_object(Tool tool, Traits traits, std::string_view word);
// Whether these words ask for a usage text that nlsh has cached.
bool asks_kept_usage(Tool tool, Words words);
// Takes the next word as a verb. Returns its row, or the row of `none`; null: there is no such
// verb.
Parsed<const Verb*> take_verb(const Verbs& verbs, Arguments& arguments);
// Reads the words after a verb of this row.
Parsed<Request> parse_as(const Verb& verb, ParseContext& context, Arguments arguments);
// Reads a verb and the words after it. Declines a word that matches no row.
Parsed<Request> parse_verb(const Verbs& verbs, ParseContext& context, Arguments arguments);

}  // namespace nlsh
