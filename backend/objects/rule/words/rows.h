// The parts of a rule with one attribute each: selectors of a change and of a show's filter, and
// printed forms.
#pragma once

#include <linux/fib_rules.h>

#include "parser/ip/field.h"

namespace nlsh {

// Sent and printed in this order. In a filter a zero matches every rule.
inline constexpr FieldRow rule_fields[] = {
    {.word = "tun_id",
     .attribute = FRA_TUN_ID,
     .form = FieldForm::big_u64,
     .complaint = "\"tun_id\" value is invalid\n",
     .exact = false},
};

}  // namespace nlsh
