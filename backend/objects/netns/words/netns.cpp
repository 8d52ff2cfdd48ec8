#include "backend/objects/netns/words/netns.h"
#include "parser/ip/refusal.h"

#include <fmt/format.h>

#include <algorithm>
#include <climits>

#include "parser/ip/command.h"
#include "parser/ip/traits/trait_names.h"
#include "parser/try.h"

namespace nlsh {
namespace {

// Whether the word can name a file of /run/netns.
bool is_name(std::string_view word) {
    return !word.empty() && word != "." && word != ".." && !word.contains('/');
}

Parsed<std::string> parse_name(Arguments& arguments) {
    if (arguments.empty()) return refused("No netns name specified\n", 1);
    const std::string_view word = arguments.take();
    if (!is_name(word)) return declined("netns: name");  // parse_netns() has checked the first name
    if (word.size() > NAME_MAX) return declined("netns: name");
    return std::string(word);
}

Parsed<std::string> parse_process(Arguments& arguments) {
    const auto word = TRY(arguments.value("netns"));
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    if (word.size() > 9) return declined("netns: process");
    if (word.empty() || !std::ranges::all_of(word, digit)) return bad_value("netns: process");
    return std::string(word);
}

// Declines further words: iproute2 skips them, but other versions may not.
Parsed<void> end(const Arguments& arguments) {
    if (!arguments.empty()) return declined("netns: more words");
    return {};
}

Parsed<Request> parse_list(ParseContext&, Arguments arguments) {
    TRY(end(arguments));
    return NetnsList{};
}

Parsed<Request> parse_list_id(ParseContext&, Arguments arguments) {
    NetnsListId list;
    while (!arguments.empty()) {
        const std::string_view word = arguments.take();
        if (word != "target-nsid" && word != "nsid") return declined("netns list-id: a word");
        auto& place = word == "nsid" ? list.id : list.target;
        if (place) {
            return duplicate(word, word);
        }
        const auto value = TRY(arguments.value(word));
        const auto id = parse_u32(value, INT32_MAX);
        if (!id) {
            const std::string complaint = fmt::format("\"{}\" value is invalid", word);
            return std::unexpected(with_complaint(id.error(), value, complaint.c_str()));
        }
        place = static_cast<int32_t>(*id);
    }
    return list;
}

Parsed<Request> parse_set(ParseContext&, Arguments arguments) {
    auto name = TRY(parse_name(arguments));
    if (arguments.empty()) return refused("No nsid specified\n", 1);
    const std::string_view word = arguments.take();
    NetnsSet set{.name = std::move(name)};
    if (word != "auto") {
        const auto id = parse_u32(word, INT32_MAX);
        if (!id) {
            return std::unexpected(with_complaint(id.error(), word, "Invalid \"netnsid\" value"));
        }
        set.id = static_cast<int32_t>(*id);
    }
    TRY(end(arguments));
    return set;
}

template <NetnsFile::Verb Verb>
Parsed<Request> parse_file(ParseContext& context, Arguments arguments) {
    constexpr bool attach = Verb == NetnsFile::Verb::attach;
    if (context.options.all) return declined("netns: -all");
    const Traits& traits = context.options.traits;
    if (traits[Trait::netns_below_var_run] == Traits::Answer::unknown)
        return declined(unknown_trait(traits, Trait::netns_below_var_run));
    if (attach && arguments.rest().size() < 2)
        return refused("No netns name and PID specified\n", 1);
    auto name = TRY(parse_name(arguments));
    NetnsFile file{.verb = Verb, .name = std::move(name), .process = {}};
    if constexpr (attach) {
        const std::string_view word = arguments.empty() ? "" : arguments.peek();
        auto process = parse_process(arguments);
        if (!process && process.error().bad_value && !word.empty()) {
            return refused(fmt::format("Invalid PID: {}\n", word), 1);
        }
        if (!process) return std::unexpected(process.error());
        file.process = std::move(*process);
    }
    TRY(end(arguments));
    return file;
}

Parsed<Request> parse_identify(ParseContext& context, Arguments arguments) {
    if (context.options.json) return declined("netns identify: -json");
    NetnsIdentify identify;
    if (!arguments.empty()) {
        const std::string_view word = arguments.peek();
        auto process = parse_process(arguments);
        if (!process && process.error().bad_value && arguments.empty()) {
            return refused(fmt::format("Specified string '{}' is not a pid\n", word), 1);
        }
        if (!process) return std::unexpected(process.error());
        identify.process = std::move(*process);
    }
    if (!arguments.empty()) return refused("extra arguments specified\n", 1);
    context.is.in_process = !identify.process.empty();
    return identify;
}

Parsed<Request> parse_pids(ParseContext& context, Arguments arguments) {
    if (context.options.json) return declined("netns pids: -json");
    auto name = TRY(parse_name(arguments));
    if (!arguments.empty()) return refused("extra arguments specified\n", 1);
    return NetnsPids{std::move(name)};
}

// iproute2 makes or removes mounts.
constexpr VerbProperties files{.in_process = true};

constexpr Verb verbs[] = {
    {.words = {"list", "show", "lst"}, .parse = parse_list, .is = shows_late},
    {.words = {"list-id"}, .parse = parse_list_id, .is = shows_late},
    {.words = {"add"}, .parse = parse_file<NetnsFile::Verb::add>, .is = files},
    {.words = {"set"}, .parse = parse_set},
    {.words = {"delete"},
     .parse = parse_file<NetnsFile::Verb::remove>,
     .is = {.in_process = true, .memory = {.deletes_others = true}}},
    {.words = {"identify"}, .parse = parse_identify, .is = shows_late},
    {.words = {"pids"},
     .parse = parse_pids,
     .is = {.read_only = true, .colored = true, .in_process = true, .not_in_batch = written_late}},
    {.words = {"exec"}},
    {.words = {"monitor"}},
    {.words = {"attach"}, .parse = parse_file<NetnsFile::Verb::attach>, .is = files},
};

constexpr Verbs verb_table{.rows = verbs, .none = "list"};

// A name must follow any verb, except with -all.
Parsed<Request> parse_netns(ParseContext& context, Arguments arguments) {
    const Words words = arguments.rest();
    if (words.size() > 1 && !is_name(words[1])) {
        if (context.options.all) return declined("netns: name");
        return refused(fmt::format("Invalid netns name \"{}\"\n", words[1]));
    }
    return parse_verb(verb_table, context, arguments);
}

}  // namespace

const Object netns_object{
    .words = {"netns"}, .name = "netns", .verbs = verb_table, .parse = parse_netns};

}  // namespace nlsh
