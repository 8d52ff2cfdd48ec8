// Prints numeric attributes in a row: one table row each.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "backend/net/attributes.h"
#include "backend/render/printer.h"

namespace nlsh {

struct NumberField {
    uint16_t attribute;
    std::string_view key;     // in JSON
    std::string_view before;  // in text, which has a space after the number
};

// Prints the attributes that are present. Attributes of 1 to 8 bytes.
template <size_t Max>
void print_numbers(Printer& printer, const Attributes<Max>& attributes,
                   std::span<const NumberField> fields) {
    for (const NumberField& field : fields) {
        const Attribute value = attributes[field.attribute];
        if (value) printer.number(field.key, field.before, value.u64(), " ");
    }
}

}  // namespace nlsh
