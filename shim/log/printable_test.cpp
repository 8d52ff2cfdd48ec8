#include "shim/log/printable.h"

#include <gmock/gmock.h>

#include <array>

namespace nlsh {
namespace {

struct Case {
    const char* text;
    const char* shown;
};

TEST(Printable, WhatControlsATerminalIsEscaped) {
    constexpr std::array<Case, 9> cases{{
        {"vlanmgrd", "vlanmgrd"},
        {"\x1b]0;x\a\n\t", "\\x1b]0;x\\x07\\x0a\\x09"},
        {"\x7f", "\\x7f"},
        {"Ä … 😀", "Ä … 😀"},
        {"\xc2\x9b"
         "2J",
         "\\xc2\\x9b2J"},                                       // C1's CSI
        {"\x9b\xff", "\\x9b\\xff"},                             // not UTF-8
        {"\xe2\x80", "\\xe2\\x80"},                             // cut off
        {"\xc0\xaf\xe0\x80\xaf", "\\xc0\\xaf\\xe0\\x80\\xaf"},  // overlong forms
        {"\xed\xa0\x80", "\\xed\\xa0\\x80"},                    // a surrogate
    }};
    for (const auto& [text, shown] : cases)
        EXPECT_EQ(printable(text), shown);
}

}  // namespace
}  // namespace nlsh
