#include "backend/objects/rule/words/rule.h"

#include "backend/objects/rule/words/keywords.h"
#include "parser/try.h"

namespace nlsh {

namespace {

Parsed<Request> parse_rule_show(ParseContext& context, Arguments arguments) {
    const auto family = TRY(rule_family(context.options));
    RuleDraft draft(family, context.names);
    while (!arguments.empty()) {
        // Here `d` means `dst`, that is `to`; dsfield has no abbreviation.
        const std::string_view word = arguments.peek();
        if (matches(word, "dst") || (matches(word, "dsfield") && word != "dsfield"))
            return declined("rule: an abbreviation");
        const auto taken = TRY(take_rule_selector(draft, arguments));
        if (taken) continue;
        TRY(take_rule_destination(draft, arguments));
    }
    return RuleShow{std::move(draft.change.selectors)};
}

Parsed<Request> parse_rule_flush(ParseContext& context, Arguments arguments) {
    const auto family = TRY(rule_family(context.options));
    const auto selection = parse_rule_show(context, arguments);  // rereads the same words
    if (!selection) return selection;
    // With JSON, iproute2 prints an empty document.
    if (!arguments.empty() || context.options.json) return declined("rule flush: words");
    return RuleFlush{family};
}

constexpr Verb verbs[] = {
    {.words = {"show", "list", "lst"}, .parse = parse_rule_show, .is = shows},
    {.words = {"save", "restore"}},
    {.words = {"add"}, .parse = parse_rule_as<ChangeVerb::add>, .is = {.queued = true}},
    {.words = {"delete"}, .parse = parse_rule_as<ChangeVerb::remove>, .is = {.queued = true}},
    {.words = {"flush"}, .parse = parse_rule_flush, .is = flushes},
};

}  // namespace

const Object rule_object{.words = {"rule"}, .name = "rule", .verbs = {verbs}};

}  // namespace nlsh
