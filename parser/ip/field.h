// Options with one attribute each: a row says how the value is read, sent and printed
// (backend/render/fields.h).
#pragma once

#include <endian.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "parser/ip/arguments.h"
#include "parser/ip/bytes.h"
#include "parser/ip/keywords.h"
#include "parser/names.h"

namespace nlsh {

enum class FieldForm : uint8_t {
    flag,  // an attribute without a value
    u8,
    u16,
    u32,
    u64,
    big_u16,  // in network order
    big_u64,
    name,        // u8: a name of `names`, or a number
    hundredths,  // u32: seconds; the kernel sends 64 bits
};

struct FieldRow {
    std::string_view word;
    std::array<std::string_view, 1> also = {};  // another word for the same
    uint16_t attribute;
    FieldForm form;
    std::span<const std::string_view> names = {};  // of the values 0, 1, 2 …; empty: none
    uint64_t smallest = 0;                         // smaller values fall back
    uint64_t largest = UINT64_MAX;
    const char* complaint = nullptr;  // for a bad value, see Keyword
    bool exact = true;                // otherwise any non-empty prefix matches
    bool read = true;                 // a change takes the option
    bool shown = true;                // a show prints it
    bool blank = true;                // text has a blank after it
    bool zero_is_none = false;        // a zero isn't sent
    Trait since = Trait::always;
    Trait until = Trait::never;
};

// Attributes by their number, as the kernel takes them.
class FieldValues {
  public:
    void set(uint16_t type, std::string bytes) { bytes_[type] = std::move(bytes); }
    template <typename T>
        requires(!std::is_convertible_v<T, std::string>)
    void set(uint16_t type, T value) {
        bytes_[type] = bytes_of(value);
    }
    // Null: not given.
    const std::string* find(uint16_t type) const {
        const auto found = bytes_.find(type);
        return found == bytes_.end() ? nullptr : &found->second;
    }
    bool empty() const { return bytes_.empty(); }
    auto begin() const { return bytes_.begin(); }
    auto end() const { return bytes_.end(); }

  private:
    std::map<uint16_t, std::string> bytes_;
};

// Converts a row's value to the attribute's payload.
inline Parsed<std::string> parse_field(const FieldRow& row, std::string_view word) {
    const auto number = [&](uint64_t type_max) -> Parsed<uint32_t> {
        auto value = parse_u32(word, static_cast<uint32_t>(std::min(row.largest, type_max)));
        return value && *value < row.smallest ? declined("a small number") : value;
    };
    switch (row.form) {
        case FieldForm::flag:
            return std::string();
        case FieldForm::name:
            if (const auto name = std::ranges::find(row.names, word);
                name != row.names.end() && !name->empty())
                return bytes_of(static_cast<uint8_t>(name - row.names.begin()));
            [[fallthrough]];
        case FieldForm::u8:
            return bytes_of(static_cast<uint8_t>(TRY(number(UINT8_MAX))));
        case FieldForm::u16:
            return bytes_of(static_cast<uint16_t>(TRY(number(UINT16_MAX))));
        case FieldForm::big_u16:
            return bytes_of(htobe16(static_cast<uint16_t>(TRY(number(UINT16_MAX)))));
        case FieldForm::u32:
            return bytes_of(TRY(number(UINT32_MAX)));
        case FieldForm::u64:
            return bytes_of(TRY(parse_u64(word)));
        case FieldForm::big_u64:
            return bytes_of(htobe64(TRY(parse_u64(word))));
        case FieldForm::hundredths: {
            auto seconds = number(UINT32_MAX / 100);
            if (!seconds) return std::unexpected(without_sign(seconds.error(), word));
            return bytes_of(*seconds * 100);
        }
    }
    return declined("a field");
}

// Takes the next word and its value if a row matches; false: none does, nothing was taken. `twice`:
// the last value counts; otherwise a second one is declined.
inline Parsed<bool> take_field(std::span<const FieldRow> rows, FieldValues& values,
                               Arguments& arguments, bool twice = false) {
    const FieldRow* row = TRY(find_row(rows, arguments.traits(), arguments.peek()));
    if (row == nullptr || !row->read) return false;
    const std::string_view keyword = arguments.take();
    if (!twice && values.find(row->attribute)) return declined("a keyword twice");
    const bool alone = row->form == FieldForm::flag;
    const std::string_view word = alone ? "" : TRY(arguments.value(keyword));
    auto value = parse_field(*row, word);
    if (!value)
        return std::unexpected(with_complaint(std::move(value.error()), word, row->complaint));
    if (!row->zero_is_none || !all_zero(*value)) values.set(row->attribute, *std::move(value));
    return true;
}

}  // namespace nlsh
