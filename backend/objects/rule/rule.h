// A policy routing rule in the kernel's message.
#pragma once

#include <linux/fib_rules.h>

#include "backend/context.h"
#include "backend/net/attributes.h"
#include "backend/objects/rule/words/rule.h"
#include "backend/render/printer.h"
#include "parser/ip/newer_kernel.h"

namespace nlsh {

// Valid as long as its message.
struct Rule {
    explicit Rule(const nlmsghdr& message)
        : header(family_header<fib_rule_hdr>(message)),
          attributes(attribute_bytes<fib_rule_hdr>(message)) {}

    uint32_t number(uint16_t type) const { return attributes[type] ? attributes[type].u32() : 0; }
    uint32_t table() const { return attributes[FRA_TABLE] ? number(FRA_TABLE) : header->table; }

    const fib_rule_hdr* header;  // null: a broken message
    Attributes<newer::rule_max> attributes;
};
inline constexpr uint32_t whole_flow_label = 0xfffff;

// Whether a rule passes a show's filter.
bool rule_matches(const Rule& rule, const RuleSelectors& filter);
// Prints text or JSON. Returns false if a part of the rule can't be printed exactly. `deleted`
// marks the rule as deleted, for an echo.
bool print_rule(Printer& printer, const NameTables& names, const Rule& rule, bool deleted = false);

}  // namespace nlsh
