// The selectors, which `ip rule add|del|show` share.
#pragma once

#include "backend/objects/rule/words/rule.h"
#include "parser/ip/command.h"
#include "parser/ip/keywords.h"

namespace nlsh {

struct RuleDraft {
    RuleDraft(uint8_t family, const NameTables& names) : names(names), asked_family(family) {
        change.selectors.family = family;
    }

    RuleChange change;
    const NameTables& names;
    bool shows = true;     // false: adds or deletes
    uint8_t asked_family;  // the prefix's family that iproute2 expects: AF_UNSPEC for an add
                           // without -4 and -6
};

// AF_INET by default, AF_INET6 with -6; declines others.
Parsed<uint8_t> rule_family(const Options& options);
// Takes the next word if it is a selector.
Parsed<bool> take_rule_selector(RuleDraft& draft, Arguments& arguments);
// Whether iproute2 might read the word as an abbreviated selector.
bool abbreviates_rule_selector(std::string_view word, const Traits& traits);
// The prefix after `to`; in a show it may stand alone.
Parsed<void> take_rule_destination(RuleDraft& draft, Arguments& arguments);

}  // namespace nlsh
