#include "parser/ip/addrlabel.h"

#include "parser/ip/bridge_values.h"
#include "parser/ip/command.h"

namespace nlsh {
namespace {

Parsed<uint32_t> parse_label(std::string_view word) {
    return parse_u32(word, UINT32_MAX - 1);
}

template <bool Add>
Parsed<ObjectResult> parse_change(ParseContext& context, Arguments arguments) {
    AddrlabelChange change;
    change.add = Add;
    const auto read_prefix = [&](std::string_view word) {
        return parse_prefix(word, context.options.family);
    };
    while (!arguments.empty()) {
        const std::string_view word = arguments.take();
        Parsed<void> parsed = declined("addrlabel: a word");
        if (word == "prefix") parsed = take_once(arguments, word, change.prefix, read_prefix);
        if (word == "dev") parsed = take_once(arguments, word, change.device, parse_device);
        if (word == "label") parsed = take_once(arguments, word, change.label, parse_label);
        if (!parsed) return std::unexpected(parsed.error());
    }
    if (!change.prefix || !change.label) return declined("addrlabel: prefix and label");
    if (change.prefix->size == 0) return declined("addrlabel: prefix any");
    return ObjectResult{std::move(change), Add ? "add" : "delete", false};
}

Parsed<ObjectResult> parse_show(ParseContext&, Arguments arguments) {
    if (!arguments.empty()) return declined("addrlabel show: a word");
    return ObjectResult{AddrlabelShow{}, "show", true};
}

Parsed<ObjectResult> parse_flush(ParseContext&, Arguments arguments) {
    if (!arguments.empty()) return declined("addrlabel flush: a word");
    return ObjectResult{AddrlabelFlush{}, "flush", false};
}

constexpr Verb verbs[] = {
    {"list", parse_show},
    {"show", parse_show},
    {"lst", parse_show},
    {"add", parse_change<true>},
    {"delete", parse_change<false>},
    {"flush", parse_flush},
};

}  // namespace

Parsed<ObjectResult> parse_addrlabel(ParseContext& context, Arguments arguments) {
    return parse_verb(context, arguments, verbs, parse_show);
}

}  // namespace nlsh
