// A route's properties with one attribute each: words of a change, and how a show prints them at
// the end of the line.
#pragma once

#include <linux/rtnetlink.h>

#include "parser/ip/field.h"

namespace nlsh {

inline constexpr const char* bad_route_metric = "\"metric\" value is invalid\n";
// RFC 4191, 2.1.
inline constexpr std::string_view route_preferences[] = {"medium", "high", "", "low"};

// In the order of printing. Other code prints the fields that aren't `shown`.
inline constexpr FieldRow route_fields[] = {
    {.word = "expires",
     .attribute = RTA_EXPIRES,
     .form = FieldForm::u32,
     .complaint = "\"expires\" value is invalid\n",
     .shown = false},
    {.word = "metric",
     .also = {"priority"},
     .attribute = RTA_PRIORITY,
     .form = FieldForm::u32,
     .complaint = bad_route_metric,
     .exact = false,
     .shown = false},
    {.word = "preference",
     .attribute = RTA_PRIORITY,
     .form = FieldForm::u32,
     .complaint = bad_route_metric,
     .shown = false},
    {.word = "nhid",
     .attribute = RTA_NH_ID,
     .form = FieldForm::u32,
     .complaint = "\"id\" value is invalid\n",
     .shown = false},
    {.word = "pref",
     .attribute = RTA_PREF,
     .form = FieldForm::name,
     .names = route_preferences,
     .complaint = "\"pref\" value is invalid\n",
     .exact = false,
     .blank = false},
};

}  // namespace nlsh
