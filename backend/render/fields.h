// The rows of parser/ip/field.h as parts of requests, and of answers.
#pragma once

#include <endian.h>

#include <span>

#include "backend/context.h"
#include "backend/net/attributes.h"
#include "backend/net/message.h"
#include "backend/render/printer.h"
#include "parser/ip/field.h"

namespace nlsh {

// Puts the given values, in the order of the rows.
inline void put_fields(Message& message, std::span<const FieldRow> rows,
                       const FieldValues& values) {
    if (values.empty()) return;
    for (const FieldRow& row : rows) {
        const std::string* bytes = row.read ? values.find(row.attribute) : nullptr;
        if (bytes) message.put_bytes(row.attribute, *bytes);
    }
}

// Where the blank stands that parts an item of a line from the next.
enum class FieldBlank : uint8_t { after, before };

// `WORD VALUE␠`, and in JSON a field of the word.
inline void print_field(Printer& printer, const FieldRow& row, Attribute value,
                        FieldBlank blank = FieldBlank::after) {
    const std::string_view after = blank == FieldBlank::after && row.blank ? " " : "";
    std::string before = blank == FieldBlank::before ? " " : "";
    before.append(row.word);
    if (row.form == FieldForm::flag) return printer.null(row.word, before.append(after));
    before.append(" ");
    switch (row.form) {
        case FieldForm::name: {
            const uint8_t number = value.u8();
            const std::string_view name =
                number < row.names.size() ? row.names[number] : std::string_view();
            if (!name.empty()) return printer.string(row.word, before, name, after);
            return printer.number(row.word, before, number, after);
        }
        case FieldForm::big_u16:
            return printer.number(row.word, before, be16toh(value.u16()), after);
        case FieldForm::big_u64:
            return printer.number(row.word, before, be64toh(value.u64()), after);
        case FieldForm::hundredths:
            return printer.floating(row.word, before, static_cast<double>(value.u64()) / 100.0,
                                    after);
        default:
            return printer.number(row.word, before, value.u64(), after);
    }
}

// Prints the rows whose attribute was sent. A row of which it isn't known whether this build has it
// makes the line fall back.
template <size_t Max>
void print_fields(Context& context, Printer& printer, std::span<const FieldRow> rows,
                  const Attributes<Max>& attributes, FieldBlank blank = FieldBlank::after) {
    const Traits& traits = printer.options().traits;
    for (const FieldRow& row : rows) {
        if (!row.shown || !attributes[row.attribute]) continue;
        const Traits::Answer counts = traits.counts(row.since, row.until);
        if (counts == Traits::Answer::yes)
            print_field(printer, row, attributes[row.attribute], blank);
        if (counts == Traits::Answer::unknown)
            context.fall_back(unknown_trait(traits, row.since, row.until));
    }
}

}  // namespace nlsh
