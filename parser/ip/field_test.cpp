// Which values a FieldRow reads into an attribute's payload, and which it declines.
#include "parser/ip/field.h"

#include <gtest/gtest.h>

namespace nlsh {
namespace {

constexpr std::string_view names[] = {"medium", "high", "", "low"};
constexpr FieldRow rows[] = {
    {.word = "flag", .attribute = 1, .form = FieldForm::flag},
    {.word = "small", .attribute = 2, .form = FieldForm::u8, .smallest = 2, .largest = 9},
    {.word = "port", .attribute = 3, .form = FieldForm::big_u16, .zero_is_none = true},
    {.word = "key", .attribute = 4, .form = FieldForm::big_u64, .exact = false},
    {.word = "preference", .attribute = 5, .form = FieldForm::name, .names = names},
    {.word = "timer", .attribute = 6, .form = FieldForm::hundredths},
    {.word = "told", .attribute = 7, .form = FieldForm::u32, .read = false},
    {.word = "newer",
     .attribute = 8,
     .form = FieldForm::u32,
     .complaint = "bad newer",
     .since = Trait::port_mab},
};

Traits traits_with(Traits::Answer answer) {
    Traits traits = iproute2_6_1();
    traits.set(Trait::port_mab, answer == Traits::Answer::yes);
    if (answer == Traits::Answer::unknown) traits.forget(Trait::port_mab);
    return traits;
}

struct Read {
    Parsed<bool> taken;
    FieldValues values;
    size_t left;
};

Read read(const std::vector<std::string>& words, Traits::Answer newer = Traits::Answer::yes,
          bool twice = false) {
    Arguments arguments(words, traits_with(newer));
    FieldValues values;
    Parsed<bool> taken = false;
    do {
        taken = take_field(rows, values, arguments, twice);
    } while (taken && *taken && !arguments.empty());
    return {std::move(taken), std::move(values), arguments.rest().size()};
}

template <typename T>
bool is(const Read& read, uint16_t attribute, T value) {
    const std::string* bytes = read.values.find(attribute);
    return read.taken && bytes != nullptr && *bytes == bytes_of(value);
}

TEST(Field, IsThePayload) {
    EXPECT_EQ(*read({"flag"}).values.find(1), "");
    EXPECT_TRUE(is(read({"small", "9"}), 2, uint8_t{9}));
    EXPECT_TRUE(is(read({"port", "258"}), 3, htobe16(258)));
    EXPECT_TRUE(is(read({"k", "0x10"}), 4, htobe64(16)));
    EXPECT_TRUE(is(read({"preference", "low"}), 5, uint8_t{3}));
    EXPECT_TRUE(is(read({"preference", "7"}), 5, uint8_t{7}));
    EXPECT_TRUE(is(read({"timer", "10"}), 6, uint32_t{1000}));
    EXPECT_TRUE(is(read({"newer", "5"}), 8, uint32_t{5}));
}

TEST(Field, OfOtherWordsNothingIsTaken) {
    for (const char* word : {"other", "sma", "told", ""}) {
        const Read other = read({word, "1"});
        EXPECT_TRUE(other.taken && !*other.taken && other.left == 2) << word;
    }
    EXPECT_FALSE(*read({"newer", "1"}, Traits::Answer::no).taken);
    EXPECT_FALSE(read({"newer", "1"}, Traits::Answer::unknown).taken);
}

TEST(Field, WhatIsDeclined) {
    for (const std::vector<std::string>& words : {std::vector<std::string>{"small", "1"},
                                                  {"small", "10"},
                                                  {"small", "256"},
                                                  {"small"},
                                                  {"port", "65536"},
                                                  {"preference", ""},
                                                  {"timer", "-1"},
                                                  {"timer", "42949673"},
                                                  {"small", "3", "small", "4"}}) {
        EXPECT_FALSE(read(words).taken) << words[0];
    }
    EXPECT_EQ(read({"newer", "x"}).taken.error().message,
              "Error: argument \"x\" is wrong: bad newer\n");
    EXPECT_TRUE(is(read({"small", "3", "small", "4"}, Traits::Answer::yes, true), 2, uint8_t{4}));
    EXPECT_EQ(read({"port", "0"}).values.find(3), nullptr);
}

}  // namespace
}  // namespace nlsh
