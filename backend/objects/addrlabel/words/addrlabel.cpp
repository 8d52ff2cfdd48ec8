#include "backend/objects/addrlabel/words/addrlabel.h"

#include <fmt/format.h>

#include "parser/ip/command.h"
#include "parser/ip/keywords.h"

namespace nlsh {
namespace {

std::unexpected<Decline> lacks_argument(std::string_view name) {
    return refused(fmt::format("Not enough information: \"{}\" argument is required.\n", name), 1);
}

Parsed<uint32_t> parse_label(std::string_view word) {
    auto label = parse_u32(word, UINT32_MAX - 1);
    if (!label) return std::unexpected(without_sign(label.error(), word));
    return label;
}

struct Draft : AddrlabelChange {
    uint8_t family = 0;
};

Parsed<void> take_prefix(Draft& draft, Arguments& arguments) {
    return take_once(arguments, "prefix", draft.prefix,
                     [&](std::string_view word) { return parse_prefix(word, draft.family); });
}

constexpr Keyword<Draft> keywords[] = {
    {.word = "prefix", .take = take_prefix},
    {.word = "dev", .take = once<&AddrlabelChange::device, parse_device>},
    {.word = "label",
     .take = once<&AddrlabelChange::label, parse_label>,
     .complaint = "label is invalid\n"},
};

template <ChangeVerb Which>
Parsed<Request> parse_change(ParseContext& context, Arguments arguments) {
    Draft draft;
    draft.verb = Which;
    draft.family = context.options.family;
    if (const auto taken = take_words(keywords, draft, arguments, skip_any); !taken) {
        // iproute2 looks up a device before it reads the next word.
        return std::unexpected(draft.device.empty() ? taken.error() : unexplained(taken.error()));
    }
    AddrlabelChange& change = draft;
    const char* missing = !change.prefix ? "prefix" : !change.label ? "label" : nullptr;
    if (missing != nullptr && !change.device.empty()) return declined("addrlabel: no label, dev");
    if (missing != nullptr) return lacks_argument(missing);
    if (change.prefix->size == 0) return declined("addrlabel: prefix any");
    return std::move(change);
}

Parsed<Request> parse_show(ParseContext&, Arguments arguments) {
    if (!arguments.empty())
        return refused("\"ip addrlabel show\" does not take any arguments.\n", 1);
    return AddrlabelShow{};
}

Parsed<Request> parse_flush(ParseContext&, Arguments arguments) {
    if (!arguments.empty())
        return refused("\"ip addrlabel flush\" does not allow extra arguments\n", 1);
    return AddrlabelFlush{};
}

constexpr Verb verbs[] = {
    {.words = {"show", "list", "lst"}, .parse = parse_show, .is = shows_late},
    {.words = {"add"}, .parse = parse_change<ChangeVerb::add>},
    {.words = {"delete"}, .parse = parse_change<ChangeVerb::remove>},
    {.words = {"flush"}, .parse = parse_flush, .is = flushes},
};

}  // namespace

const Object addrlabel_object{.words = {"addrlabel"}, .name = "addrlabel", .verbs = {verbs}};

}  // namespace nlsh
