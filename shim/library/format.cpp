#include "shim/library/format.h"

#include <array>
#include <string_view>

#include "shim/process/quote.h"

namespace nlsh {
namespace {

// append: adds the value to the line. False: NULL for %s.
struct Conversion {
    std::string_view text;
    bool (*append)(std::string& line, va_list& values);
};

template <typename Number>
bool append_number(std::string& line, va_list& values) {
    line += std::to_string(va_arg(values, Number));
    return true;
}

bool append_word(std::string& line, va_list& values) {
    const char* word = va_arg(values, const char*);
    if (word != nullptr) line += shell_quoted(word);
    return word != nullptr;
}

bool append_per_cent(std::string& line, va_list&) {
    line += '%';
    return true;
}

constexpr std::array<Conversion, 6> conversions{{{"s", append_word},
                                                 {"d", append_number<int>},
                                                 {"u", append_number<unsigned>},
                                                 {"ld", append_number<long>},
                                                 {"lu", append_number<unsigned long>},
                                                 {"%", append_per_cent}}};

const Conversion* find_conversion(std::string_view format) {
    for (const Conversion& conversion : conversions) {
        if (format.starts_with(conversion.text)) return &conversion;
    }
    return nullptr;
}

}  // namespace

std::optional<std::string> format_line(const char* format, va_list values) {
    va_list left;
    va_copy(left, values);
    std::string line;
    std::string_view rest(format);
    bool good = true;
    while (good && !rest.empty()) {
        const size_t next = std::min(rest.find('%'), rest.size());
        line += rest.substr(0, next);
        rest.remove_prefix(next);
        if (rest.empty()) break;
        const Conversion* conversion = find_conversion(rest.substr(1));
        good = conversion != nullptr && conversion->append(line, left);
        if (good) rest.remove_prefix(1 + conversion->text.size());
    }
    va_end(left);
    return good ? std::optional(std::move(line)) : std::nullopt;
}

}  // namespace nlsh
