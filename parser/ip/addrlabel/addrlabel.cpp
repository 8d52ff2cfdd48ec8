#include "parser/ip/addrlabel/addrlabel.h"

#include <fmt/format.h>

#include "parser/ip/bridge/values.h"
#include "parser/ip/command.h"
#include "parser/ip/refusal.h"

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

template <bool Add>
Parsed<Request> parse_change(ParseContext& context, Arguments arguments) {
    AddrlabelChange change;
    change.add = Add;
    const auto read_prefix = [&](std::string_view word) {
        return parse_prefix(word, context.options.family);
    };
    while (!arguments.empty()) {
        const std::string_view word = arguments.take();
        Parsed<void> parsed;  // other words don't count
        if (word == "prefix") parsed = take_once(arguments, word, change.prefix, read_prefix);
        if (word == "dev") parsed = take_once(arguments, word, change.device, parse_device);
        if (word == "label") {
            parsed = take_once(arguments, word, change.label, parse_label, "label is invalid\n");
        }
        // A device is looked up at once.
        if (!parsed && !change.device.empty()) return std::unexpected(unexplained(parsed.error()));
        if (!parsed) return std::unexpected(parsed.error());
    }
    const char* missing = !change.prefix ? "prefix" : !change.label ? "label" : nullptr;
    if (missing != nullptr && !change.device.empty()) return declined("addrlabel: no label, dev");
    if (missing != nullptr) return lacks_argument(missing);
    if (change.prefix->size == 0) return declined("addrlabel: prefix any");
    return change;
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
    {.words = {"show", "list", "lst"},
     .parse = parse_show,
     .is = {.read_only = true, .colored = true, .not_in_batch = written_late}},
    {.words = {"add"}, .parse = parse_change<true>},
    {.words = {"delete"}, .parse = parse_change<false>},
    {.words = {"flush"}, .parse = parse_flush, .is = flushes},
};

}  // namespace

const Object addrlabel_object{.words = {"addrlabel"}, .name = "addrlabel", .verbs = {verbs}};

}  // namespace nlsh
