// A nexthop's properties with one attribute each: words of a change, and printed forms.
#pragma once

#include <linux/nexthop.h>

#include "parser/ip/field.h"
#include "parser/ip/newer_kernel.h"

namespace nlsh {

// Sent and printed in this order.
inline constexpr FieldRow nexthop_fields[] = {
    {.word = "fdb",
     .attribute = NHA_FDB,
     .form = FieldForm::flag,
     .shown = false},  // iproute2 prints no blank after it
    {.word = "dst_port",
     .attribute = newer::nexthop_port,
     .form = FieldForm::big_u16,
     .complaint = "\"dst_port\" value is invalid\n",
     .shown = false,  // the output is unknown
     .since = Trait::nexthop_port},
};

// NHA_RES_GROUP_* of a resilient group.
inline constexpr FieldRow resilient_fields[] = {
    {.word = "buckets",
     .attribute = NHA_RES_GROUP_BUCKETS,
     .form = FieldForm::u16,
     .smallest = 1,
     .complaint = "invalid buckets value"},
    {.word = "idle_timer",
     .attribute = NHA_RES_GROUP_IDLE_TIMER,
     .form = FieldForm::hundredths,
     .complaint = "invalid idle timer value"},
    {.word = "unbalanced_timer",
     .attribute = NHA_RES_GROUP_UNBALANCED_TIMER,
     .form = FieldForm::hundredths,
     .complaint = "invalid unbalanced timer value"},
    {.word = "unbalanced_time",
     .attribute = NHA_RES_GROUP_UNBALANCED_TIME,
     .form = FieldForm::hundredths,
     .read = false},
};

}  // namespace nlsh
