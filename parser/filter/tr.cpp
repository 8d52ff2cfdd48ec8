// tr [-cCds] SET1 [SET2]
#include <array>
#include <cctype>

#include "parser/filter/filter.h"
#include "parser/filter/options.h"
#include "parser/try.h"

namespace nlsh {
namespace {

constexpr std::array<OptionSpec, 5> specs = {{
    {'c', "complement"},
    {'C', ""},
    {'d', "delete"},
    {'s', "squeeze-repeats"},
    {'t', "truncate-set1"},
}};

struct Class {
    std::string_view name;
    int (*member)(int);
};
constexpr std::array<Class, 8> classes = {{{"space", std::isspace},
                                           {"digit", std::isdigit},
                                           {"alpha", std::isalpha},
                                           {"alnum", std::isalnum},
                                           {"upper", std::isupper},
                                           {"lower", std::islower},
                                           {"blank", std::isblank},
                                           {"punct", std::ispunct}}};

Parsed<char> read_character(std::string_view text, size_t& at) {
    char c = text[at++];
    if (static_cast<unsigned char>(c) >= 0x80) return declined("set: byte");
    if (c != '\\') return c;
    if (at == text.size()) return declined("set: trailing backslash");
    constexpr std::string_view letters = "abfnrtv\\-", values = "\a\b\f\n\r\t\v\\-";
    size_t found = letters.find(text[at++]);
    if (found == std::string_view::npos) return declined("set: escape");
    return values[found];
}

// All bytes of a set, in order.
Parsed<std::string> expand_set(std::string_view text) {
    std::string set;
    for (size_t at = 0; at < text.size();) {
        if (text[at] == '[' && at + 1 < text.size()) {
            if (text[at + 1] == '=' || text.find('*', at) != std::string_view::npos)
                return declined("set: bracket");
            if (text[at + 1] == ':') {
                size_t end = text.find(":]", at + 2);
                if (end == std::string_view::npos) return declined("set: class");
                const Class* found = nullptr;
                for (const auto& each : classes) {
                    if (each.name == text.substr(at + 2, end - at - 2)) found = &each;
                }
                if (!found) return declined("set: class");
                for (int c = 0; c < 128; c++) {
                    if (found->member(c)) set += static_cast<char>(c);
                }
                at = end + 2;
                continue;
            }
        }
        auto from = TRY(read_character(text, at));
        if (at + 1 < text.size() && text[at] == '-') {
            at++;
            auto to = TRY(read_character(text, at));
            if (from > to) return declined("set: range");
            for (int c = static_cast<unsigned char>(from); c <= to; c++)
                set += static_cast<char>(c);
        } else {
            set += from;
        }
    }
    return set;
}

std::bitset<256> as_members(std::string_view set, bool complement) {
    std::bitset<256> members;
    for (char c : set)
        members.set(static_cast<unsigned char>(c));
    return complement ? ~members : members;
}

// A translation has no classes, except [:lower:] to [:upper:] or back, each alone.
bool classes_fit(const std::string& from, const std::string& to) {
    auto has_class = [](const std::string& set) { return set.find("[:") != std::string::npos; };
    if (!has_class(to)) return true;
    return (from == "[:lower:]" && to == "[:upper:]") || (from == "[:upper:]" && to == "[:lower:]");
}

}  // namespace

Parsed<Filter> parse_tr(Words arguments) {
    // Unlike the other filters, tr stops at the first operand ("+").
    size_t options = 0;
    while (options < arguments.size() && arguments[options].size() > 1 &&
           arguments[options][0] == '-' && arguments[options] != "--")
        options++;
    auto scanned = TRY(scan_options(arguments.subspan(0, options), specs));
    Tr tr;
    bool complement = false;
    for (const auto& option : scanned.options) {
        if (option.letter == 't') return declined("option -t");
        if (option.letter == 'c' || option.letter == 'C') complement = true;
        if (option.letter == 'd') tr.remove = true;
        if (option.letter == 's') tr.squeeze = true;
    }
    Words sets = arguments.subspan(options);
    if (!sets.empty() && sets[0] == "--") sets = sets.subspan(1);
    if (sets.empty() || sets.size() > 2) return declined("operands");
    auto first = TRY(expand_set(sets[0]));
    if (sets.size() == 1) {
        if (tr.remove == tr.squeeze) return declined("operands");
        tr.members = as_members(first, complement);
        if (tr.squeeze) tr.squeezed = tr.members;
        return tr;
    }
    if (tr.remove || complement || !classes_fit(sets[0], sets[1])) return declined("operands");
    auto second = TRY(expand_set(sets[1]));
    if (second.empty()) return declined("empty set");
    if (sets[1].size() > 2 && second.size() < first.size() && sets[1].ends_with(":]"))
        return declined("set ends in a class");
    tr.from = first;
    tr.to = second;
    tr.to.resize(tr.from.size(), second.back());
    if (tr.squeeze) tr.squeezed = as_members(second, false);
    return tr;
}

}  // namespace nlsh
