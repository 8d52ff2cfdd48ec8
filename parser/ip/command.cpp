#include "parser/ip/command.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>

#include "parser/ip/keywords.h"

namespace nlsh {
namespace {

#define NLSH_LEFT(NAME) constexpr Object NAME##_object{.words = {#NAME}, .name = {}};
NLSH_OBJECTS(NLSH_NOTHING, NLSH_NOTHING, NLSH_LEFT, NLSH_NOTHING, NLSH_NOTHING)
#undef NLSH_LEFT

#define NLSH_ADDRESS(NAME, ...) &NAME##_object,
constexpr const Object* ip_objects[] = {
    NLSH_OBJECTS(NLSH_ADDRESS, NLSH_NOTHING, NLSH_ADDRESS, NLSH_NOTHING, NLSH_NOTHING)};
constexpr const Object* bridge_objects[] = {
    NLSH_OBJECTS(NLSH_NOTHING, NLSH_ADDRESS, NLSH_NOTHING, NLSH_NOTHING, NLSH_NOTHING)};
#undef NLSH_ADDRESS

// Whether the output may have colours that nlsh doesn't know. `unsaid` is decided when the command
// runs.
bool has_unknown_colors(const Command& command) {
    const ColorMode color = command.options.color;
    return color != ColorMode::never && color != ColorMode::unsaid && command.lacks_colors();
}

// Why a change with -echo falls back before it starts; empty: nlsh can print all its output.
std::string unechoable(const Command& command, Words words) {
    const Options& options = command.options;
    if (!options.echo || command.is.read_only) return {};
    if (options.batch) return "batch: option -echo";
    if (!command.is.echoes_link) return {};
    if (options.details > 0 || options.statistics > 0) return "details of a link with -echo";
    // The kernel may report the namespace by number only.
    const auto names_namespace = [](const std::string& word) { return word.contains("netns"); };
    return std::ranges::any_of(words, names_namespace) ? "a link's namespace with -echo" : "";
}

std::string title_of(Tool tool, const Object& object) {
    if (!object.title.empty()) return std::string(object.title);
    return std::string(tool == Tool::ip ? "ip " : "bridge ").append(object.name);
}

Command refused_command(const Options& options, std::string message, int status,
                        std::string_view what) {
    return {.options = options,
            .request = RefusedCommand{.message = std::move(message), .status = status},
            .summary = fmt::format("{} refused", what),
            .is = {.read_only = true}};
}

Parsed<Command> refusal(const Options& options, const Object& object, Words words,
                        Decline decline) {
    // bridge's "master" is a flag.
    const bool looks_up = options.tool == Tool::ip && may_look_up(words);
    if (decline.message.empty() || looks_up) return std::unexpected(std::move(decline));
    return refused_command(options, std::move(decline.message), decline.status, object.name);
}

// Prefixes of "help" and of Debian's "moo" are objects, too.
Parsed<Command> unknown_object(const Options& options, std::string_view word) {
    constexpr std::string_view others[] = {"help", "moo"};
    if (std::ranges::any_of(others, [&](auto other) { return matches(word, other); }))
        return declined(fmt::format("object {}", word));
    const bool ip = options.tool == Tool::ip;
    return refused_command(
        options,
        fmt::format("Object \"{}\" is unknown, try \"{} help\".\n", word, ip ? "ip" : "bridge"),
        ip ? 1 : 255, "object");
}

// Why a command falls back although its words could be read; empty: it doesn't.
std::string not_native(const Command& command, Words words) {
    if (has_unknown_colors(command)) return "colour of " + command.summary;
    const Options& options = command.options;
    const bool plain = options.color == ColorMode::never || options.color == ColorMode::unsaid;
    if (options.tool == Tool::bridge && !plain && !options.traits.has(Trait::words_of_5_15))
        return "colours of older versions";
    if (command.options.loops && command.is.flushes) return "flush with -loops";
    return unechoable(command, words);
}

// Newer builds refuse . and .. as device names in some places.
bool may_be_refused_as_names(const Traits& traits, Words words) {
    const bool any = std::ranges::any_of(
        words, [](const std::string& word) { return word == "." || word == ".."; });
    return any && !traits.lacks(Trait::names_as_of_altnames);
}

Parsed<Command> parse_object(Options options, Arguments arguments, const NameTables& names,
                             LinkKinds kinds) {
    if (names.corrupted) return declined("a file of /etc/iproute2 is corrupted");
    if (arguments.empty()) return declined("no object");
    const std::string_view word = arguments.take();
    const Object* object = TRY(find_object(options.tool, options.traits, word));
    if (object == nullptr) return unknown_object(options, word);
    if (object->name.empty()) return declined(fmt::format("object {}", word));
    if (options.family == AF_MPLS && !object->labels) return declined("option -M");
    if (options.family == AF_BRIDGE && !object->bridge_family) return declined("option -B");
    if (may_be_refused_as_names(options.traits, arguments.rest()))
        return declined("a device called . or ..");
    const std::string title = title_of(options.tool, *object);
    ParseContext context{.options = options, .names = names, .kinds = kinds, .object = title};
    auto request = object->parse != nullptr ? object->parse(context, arguments)
                                            : parse_verb(object->verbs, context, arguments);
    if (names.corrupted) return declined("a file of /etc/iproute2 is corrupted");  // found just now
    if (!request) return refusal(options, *object, arguments.rest(), std::move(request.error()));
    Command command{
        .options = options, .request = *std::move(request), .summary = {}, .is = context.is};
    if (command.request.is<RefusedCommand>()) {
        context.verb = "refused";
        command.is = {.read_only = true};
    }
    command.summary.append(object->name).append(" ").append(context.verb);
    if (auto reason = not_native(command, arguments.rest()); !reason.empty())
        return declined(std::move(reason));
    return command;
}

Parsed<Command> option_refusal(Tool tool, Traits traits, const Decline& decline) {
    if (decline.message.empty()) return std::unexpected(decline);
    return refused_command({.tool = tool, .traits = traits}, decline.message, decline.status,
                           "option");
}

// Unproven rows of this build fall back.
Parsed<Command> proven(Parsed<Command> command, Words words, const Traits& traits) {
    if (!command || traits.proof() == nullptr) return command;
    std::string objection = traits.proof()->objection(words, *command);
    if (!objection.empty()) return declined(std::move(objection));
    return command;
}

}  // namespace

std::span<const Object* const> objects_of(Tool tool) {
    return tool == Tool::ip ? std::span<const Object* const>(ip_objects) : bridge_objects;
}

Parsed<Command> parse_command(Tool tool, Words words, const NameTables& names, LinkKinds kinds,
                              Traits traits) {
    const auto invocation = parse_invocation(tool, words, traits);
    if (!invocation) return proven(option_refusal(tool, traits, invocation.error()), words, traits);
    if (invocation->batch != 0) return declined("option -batch");
    return parse_command(*invocation, words, names, kinds);
}

Parsed<Command> parse_command(const Invocation& invocation, Words words, const NameTables& names,
                              LinkKinds kinds) {
    const Options& options = invocation.options;
    const Arguments arguments(words.subspan(invocation.object), options.traits);
    auto command = parse_object(options, arguments, names, kinds);
    if (command && !invocation.netns.empty() && command->request.is<NetnsFile>())
        return declined(command->summary + ": with -netns");
    if (command) command->netns = invocation.netns;
    return proven(std::move(command), words, options.traits);
}

Parsed<Command> parse_batch_line(const Options& defaults, Words words, const NameTables& names,
                                 LinkKinds kinds) {
    Options options = defaults;
    options.batch = true;
    auto command = TRY(parse_object(options, Arguments(words, options.traits), names, kinds));
    // Some refusals affect only the line, others end the batch.
    if (command.request.is<RefusedCommand>()) return declined("batch: " + command.summary);
    if (command.is.not_in_batch != nullptr)
        return declined(fmt::format("batch: {} {}", command.summary, command.is.not_in_batch));
    return proven(std::move(command), words, options.traits);
}

Parsed<Request> refused_after(const std::vector<std::string>& devices, Decline decline,
                              const char* missing) {
    std::vector<RefusedCommand::Lookup> lookups;
    for (const std::string& device : devices) {
        if (device.empty()) continue;
        lookups.push_back(
            {device, missing ? fmt::format(fmt::runtime(missing), device) : std::string()});
    }
    if (lookups.empty() || decline.message.empty()) return std::unexpected(std::move(decline));
    return RefusedCommand{.message = std::move(decline.message),
                          .status = decline.status,
                          .lookups = std::move(lookups)};
}

Parsed<Request> refused_after(const std::string& device, Decline decline, const char* missing) {
    return refused_after(std::vector{device}, std::move(decline), missing);
}

Parsed<const Object*> find_object(Tool tool, Traits traits, std::string_view word) {
    return find_row(objects_of(tool), traits, word);
}

bool asks_kept_usage(Tool tool, Words words) {
    if (words.size() != 2 || words[1] != "help") return false;
    return std::ranges::any_of(objects_of(tool), [&](const Object* object) {
        return object->keeps_usage && object->words[0] == words[0];
    });
}

Parsed<const Verb*> take_verb(const Verbs& verbs, Arguments& arguments) {
    if (!arguments.empty()) return find_row(verbs.rows, arguments.traits(), arguments.take());
    const auto none = [&](const Verb& verb) { return verb.words[0] == verbs.none; };
    const auto row = std::ranges::find_if(verbs.rows, none);
    return row != verbs.rows.end() ? &*row : nullptr;
}

Parsed<Request> parse_as(const Verb& verb, ParseContext& context, Arguments arguments) {
    context.verb += context.verb.empty() ? "" : " ";
    context.verb += verb.name.empty() ? verb.words[0] : verb.name;
    if (!verb.verbs.rows.empty()) return parse_verb(verb.verbs, context, arguments);
    if (verb.parse == nullptr) return declined("verb " + context.verb);
    context.is = verb.is;
    return verb.parse(context, arguments);
}

Parsed<Request> parse_verb(const Verbs& verbs, ParseContext& context, Arguments arguments) {
    const std::string_view word = arguments.empty() ? "" : arguments.peek();
    const bool said = !arguments.empty();
    if (const Verb* verb = TRY(take_verb(verbs, arguments)))
        return parse_as(*verb, context, arguments);
    if (!said || verbs.refusal.empty() || matches(word, "help"))
        return declined(fmt::format("verb {}", word));
    return refused(fmt::format(fmt::runtime(verbs.refusal), word, context.object));
}

}  // namespace nlsh
