#include "parser/ip/netns/netns.h"
#include "parser/ip/refusal.h"
#include "parser/ip/stats/stats.h"

#include <fmt/format.h>

#include <algorithm>
#include <climits>

#include "parser/ip/command.h"

namespace nlsh {
namespace {

Parsed<std::string> parse_name(Arguments& arguments) {
    if (arguments.empty()) return refused("No netns name specified\n", 1);
    const std::string_view word = arguments.take();
    if (word.empty() || word == "." || word == ".." || word.contains('/')) {
        return refused(fmt::format("Invalid netns name \"{}\"\n", word));
    }
    if (word.size() > NAME_MAX) return declined("netns: name");
    return std::string(word);
}

Parsed<std::string> parse_process(Arguments& arguments) {
    const auto word = arguments.value("netns");
    if (!word) return std::unexpected(word.error());
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    if (word->size() > 9) return declined("netns: process");
    if (word->empty() || !std::ranges::all_of(*word, digit)) return bad_value("netns: process");
    return std::string(*word);
}

// iproute2 skips what follows; other versions may not.
Parsed<void> end(const Arguments& arguments) {
    if (!arguments.empty()) return declined("netns: more words");
    return {};
}

Parsed<ObjectResult> parse_list(ParseContext&, Arguments arguments) {
    if (const auto ended = end(arguments); !ended) return std::unexpected(ended.error());
    return ObjectResult{NetnsList{}, "list", true};
}

Parsed<ObjectResult> parse_list_id(ParseContext&, Arguments arguments) {
    NetnsListId list;
    while (!arguments.empty()) {
        const std::string_view word = arguments.take();
        if (word != "target-nsid" && word != "nsid") return declined("netns list-id: a word");
        auto& place = word == "nsid" ? list.id : list.target;
        if (place) {
            return duplicate(word, word);
        }
        const auto value = arguments.value(word);
        if (!value) return std::unexpected(value.error());
        const auto id = parse_u32(*value, INT32_MAX);
        if (!id) {
            const std::string complaint = fmt::format("\"{}\" value is invalid", word);
            return std::unexpected(with_complaint(id.error(), *value, complaint.c_str()));
        }
        place = static_cast<int32_t>(*id);
    }
    return ObjectResult{list, "list-id", true};
}

Parsed<ObjectResult> parse_set(ParseContext&, Arguments arguments) {
    auto name = parse_name(arguments);
    if (!name) return std::unexpected(name.error());
    if (arguments.empty()) return refused("No nsid specified\n", 1);
    const std::string_view word = arguments.take();
    NetnsSet set{.name = std::move(*name)};
    if (word != "auto") {
        const auto id = parse_u32(word, INT32_MAX);
        if (!id) {
            return std::unexpected(with_complaint(id.error(), word, "Invalid \"netnsid\" value"));
        }
        set.id = static_cast<int32_t>(*id);
    }
    if (const auto ended = end(arguments); !ended) return std::unexpected(ended.error());
    return ObjectResult{std::move(set), "set", false};
}

template <NetnsFile::Verb Verb>
Parsed<ObjectResult> parse_file(ParseContext& context, Arguments arguments) {
    constexpr bool attach = Verb == NetnsFile::Verb::attach;
    constexpr const char* verb = Verb == NetnsFile::Verb::add ? "add"
                                 : attach                     ? "attach"
                                                              : "delete";
    if (context.options.all) return declined("netns: -all");
    if (attach && arguments.rest().size() < 2)
        return refused("No netns name and PID specified\n", 1);
    auto name = parse_name(arguments);
    if (!name) return std::unexpected(name.error());
    NetnsFile file{.verb = Verb, .name = std::move(*name), .process = {}};
    if constexpr (attach) {
        const std::string_view word = arguments.empty() ? "" : arguments.peek();
        auto process = parse_process(arguments);
        if (!process && process.error().bad_value && !word.empty()) {
            return refused(fmt::format("Invalid PID: {}\n", word), 1);
        }
        if (!process) return std::unexpected(process.error());
        file.process = std::move(*process);
    }
    if (const auto ended = end(arguments); !ended) return std::unexpected(ended.error());
    return ObjectResult{std::move(file), verb, false};
}

Parsed<ObjectResult> parse_identify(ParseContext& context, Arguments arguments) {
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
    return ObjectResult{std::move(identify), "identify", true};
}

Parsed<ObjectResult> parse_pids(ParseContext& context, Arguments arguments) {
    if (context.options.json) return declined("netns pids: -json");
    auto name = parse_name(arguments);
    if (!name) return std::unexpected(name.error());
    if (!arguments.empty()) return refused("extra arguments specified\n", 1);
    return ObjectResult{NetnsPids{std::move(*name)}, "pids", true};
}

using FileVerb = NetnsFile::Verb;
constexpr Verb verbs[] = {
    {"list", parse_list},
    {"show", parse_list},
    {"lst", parse_list},
    {"list-id", parse_list_id},
    {"add", parse_file<FileVerb::add>},
    {"set", parse_set},
    {"delete", parse_file<FileVerb::remove>},
    {"identify", parse_identify},
    {"pids", parse_pids},
    {"exec", nullptr},
    {"monitor", nullptr},
    {"attach", parse_file<FileVerb::attach>},
};

}  // namespace

Parsed<ObjectResult> parse_netns(ParseContext& context, Arguments arguments) {
    return parse_verb(context, arguments, verbs, parse_list);
}

}  // namespace nlsh
