// `ip rule`: the verbs, and the words of changes.
#include "backend/objects/rule/words/rule.h"

#include <fmt/format.h>
#include <linux/fib_rules.h>
#include <linux/rtnetlink.h>

#include <algorithm>
#include <cerrno>

#include "backend/objects/route/words/values.h"
#include "backend/objects/rule/words/keywords.h"
#include "parser/try.h"

namespace nlsh {
namespace {

Parsed<void> take_realms(RuleDraft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("realms"));
    return set_once(draft.change.realms, parse_realms(draft.names, word));
}

Parsed<void> take_suppressed_length(RuleDraft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("suppress_prefixlength"));
    return set_once(draft.change.suppress_prefix_length, parse_u32(word, INT32_MAX));
}

Parsed<void> take_suppressed_group(RuleDraft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("suppress_ifgroup"));
    const auto group = draft.names.value(NameKind::group, word);
    if (!group || *group > INT32_MAX) return declined("rule: group");
    return set_once(draft.change.suppress_group, Parsed<uint32_t>(*group));
}

template <uint8_t Action>
Parsed<void> take_action(RuleDraft& draft, Arguments&) {
    return set_once(draft.change.action, Parsed<uint8_t>(Action));
}

Parsed<void> take_goto(RuleDraft& draft, Arguments& arguments) {
    const auto word = TRY(arguments.value("goto"));
    TRY(take_action<FR_ACT_GOTO>(draft, arguments));
    return set_once(draft.change.target, parse_u32(word));
}

constexpr Keyword<RuleDraft> actions[] = {
    {.word = "goto", .take = take_goto, .exact = false},
    {.word = "nop", .take = take_action<FR_ACT_NOP>},
    {.word = "unicast", .take = take_action<FR_ACT_TO_TBL>},
    {.word = "blackhole", .take = take_action<FR_ACT_BLACKHOLE>},
    {.word = "unreachable", .take = take_action<FR_ACT_UNREACHABLE>},
    {.word = "prohibit", .take = take_action<FR_ACT_PROHIBIT>},
};

Parsed<void> take_type(RuleDraft& draft, Arguments& arguments) {
    if (arguments.empty()) return declined("rule: type");
    const std::string_view word = arguments.peek();
    const auto taken = TRY(take_keyword<RuleDraft>(actions, draft, arguments));
    const bool abbreviation =
        matches(word, "type") || word.starts_with("su") ||
        std::ranges::any_of(actions, [&](const auto& a) { return matches(word, a.word); });
    // iproute2 reads `-4` after the verb as a negative type.
    const bool option = word.size() == 2 && word[0] == '-' && word[1] >= '1' && word[1] <= '9';
    if (!taken && !abbreviation && !abbreviates_rule_selector(word, arguments.traits()) &&
        !parse_route_type(word) && (option || is_plain_value(word)) && !matches(word, "help")) {
        return refused(
            fmt::format("Error: argument \"{}\" is wrong: Failed to parse rule type\n", word));
    }
    if (!taken) return declined("rule: type");
    return {};
}

constexpr Keyword<RuleDraft> more[] = {
    {.word = "realms", .take = take_realms, .exact = false, .complaint = "invalid realms\n"},
    {.word = "suppress_prefixlength", .take = take_suppressed_length, .exact = false},
    {.word = "sup_pl", .take = take_suppressed_length},
    {.word = "suppress_ifgroup", .take = take_suppressed_group, .exact = false},
    {.word = "sup_group", .take = take_suppressed_group},
    {.word = "type", .take = take_type},
};

Parsed<void> take_word(RuleDraft& draft, Arguments& arguments) {
    const auto selector = TRY(take_rule_selector(draft, arguments));
    if (selector) return {};
    const auto other = TRY(take_keyword<RuleDraft>(more, draft, arguments));
    return other ? Parsed<void>{} : take_type(draft, arguments);
}

Parsed<RuleChange> read(const ParseContext& context, Arguments arguments, ChangeVerb verb) {
    const bool del = verb == ChangeVerb::remove;
    if (arguments.empty())
        return refused(
            del ? "\"ip rule del\" requires arguments.\n" : "\"ip rule add\" requires arguments.\n",
            1);
    const auto family = TRY(rule_family(context.options));
    RuleDraft draft(family, context.names);
    draft.change.verb = verb;
    draft.asked_family = context.options.family;
    draft.shows = false;
    while (!arguments.empty()) {
        if (auto word = take_word(draft, arguments); !word) return std::unexpected(word.error());
    }
    RuleSelectors& selectors = draft.change.selectors;
    if (selectors.l3mdev && selectors.table.value_or(0) != 0) {
        return refused("table can not be specified for l3mdev rules\n", EINVAL);
    }
    if (del) return std::move(draft.change);
    if (draft.change.action) return std::move(draft.change);
    draft.change.action = FR_ACT_TO_TBL;
    if (!selectors.l3mdev && !selectors.table) selectors.table = RT_TABLE_MAIN;
    return std::move(draft.change);
}

template <ChangeVerb Which>
Parsed<Request> parse_change(ParseContext& context, Arguments arguments) {
    return TRY(read(context, arguments, Which));
}

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
    {.words = {"add"}, .parse = parse_change<ChangeVerb::add>, .is = {.queued = true}},
    {.words = {"delete"}, .parse = parse_change<ChangeVerb::remove>, .is = {.queued = true}},
    {.words = {"flush"}, .parse = parse_rule_flush, .is = flushes},
};

}  // namespace

const Object rule_object{.words = {"rule"}, .name = "rule", .verbs = {verbs}};

}  // namespace nlsh
