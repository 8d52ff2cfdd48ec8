// Prints attributes if they were sent.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "backend/net/attributes.h"
#include "backend/render/printer.h"

namespace nlsh {

// An attribute of 1 to 8 bytes.
inline void print_number(Printer& printer, Attribute value, std::string_view key,
                         std::string_view before, std::string_view after = " ") {
    if (value) printer.number(key, before, value.u64(), after);
}

inline void print_string(Printer& printer, Attribute value, std::string_view key,
                         std::string_view before, std::string_view after = " ") {
    if (value) printer.string(key, before, value.string(), after);
}

// A row of a table of numbers.
struct NumberField {
    uint16_t attribute;
    std::string_view key;     // in JSON
    std::string_view before;  // in text, which has a space after the number
};

template <size_t Max>
void print_numbers(Printer& printer, const Attributes<Max>& attributes,
                   std::span<const NumberField> fields) {
    for (const NumberField& field : fields)
        print_number(printer, attributes[field.attribute], field.key, field.before);
}

}  // namespace nlsh
