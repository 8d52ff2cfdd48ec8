#include "parser/ip/rule/rule.h"

#include "parser/ip/rule/keywords.h"

namespace nlsh {

namespace {

Parsed<ObjectResult> unknown(ParseContext&, Arguments) {
    return declined("rule: verb not native");
}

Parsed<ObjectResult> parse_rule_show(ParseContext& context, Arguments arguments) {
    const auto family = rule_family(context.options);
    if (!family) return std::unexpected(family.error());
    RuleDraft draft(*family, context.names);
    while (!arguments.empty()) {
        // Here `d` is short for `dst`, which stands for `to`; dsfield has no short form.
        const std::string_view word = arguments.peek();
        if (matches(word, "dst") || (matches(word, "dsfield") && word != "dsfield"))
            return declined("rule: an abbreviation");
        const auto taken = take_rule_selector(draft, arguments);
        if (!taken) return std::unexpected(taken.error());
        if (*taken) continue;
        if (auto to = take_rule_destination(draft, arguments); !to) {
            return std::unexpected(to.error());
        }
    }
    return ObjectResult{RuleShow{std::move(draft.change.selectors)}, "show", true};
}

Parsed<ObjectResult> parse_rule_flush(ParseContext& context, Arguments arguments) {
    const auto family = rule_family(context.options);
    if (!family) return std::unexpected(family.error());
    const auto selection = parse_rule_show(context, arguments);  // of the same words
    if (!selection) return selection;
    // JSON has an empty document.
    if (!arguments.empty() || context.options.json) return declined("rule flush: words");
    return ObjectResult{RuleFlush{*family}, "flush", false};
}

constexpr Verb verbs[] = {
    {"list", parse_rule_show},
    {"lst", parse_rule_show},
    {"show", parse_rule_show},
    {"save", unknown},
    {"restore", unknown},
    {"add", parse_rule_add},
    {"delete", parse_rule_delete},
    {"flush", parse_rule_flush},
    {"help", unknown},
};

}  // namespace

Parsed<ObjectResult> parse_rule(ParseContext& context, Arguments arguments) {
    return parse_verb(context, arguments, verbs, parse_rule_show);
}

}  // namespace nlsh
