// sysctl [-w] [-q] [-n] [-N] [-e] KEY[=VALUE] …
#include <algorithm>

#include "parser/filter/options.h"
#include "parser/shell/grammar.h"
#include "parser/try.h"

namespace nlsh {
namespace {

// The first dot or slash of a key is its separator. The other character then stands for itself.
void swap_separators(std::string& text) {
    for (char& c : text)
        c = c == '.' ? '/' : c == '/' ? '.' : c;
}

bool plain_key(std::string_view key) {
    // sysctl warns about repeated separators.
    const auto separates = [](char c) { return c == '.' || c == '/'; };
    const auto both = [&](char first, char second) {
        return separates(first) && separates(second);
    };
    if (key.empty() || std::ranges::adjacent_find(key, both) != key.end()) return false;
    return std::ranges::all_of(key, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("._-/:@").find(c) != std::string_view::npos;
    });
}

Parsed<Sysctl::Setting> parse_setting(const std::string& word, bool write) {
    Sysctl::Setting setting;
    size_t equals = word.find('=');
    setting.key = word.substr(0, equals);
    if (!plain_key(setting.key) || setting.key[0] == '/' || setting.key[0] == '.' ||
        setting.key[0] == '-')
        return declined("sysctl: key");
    if (setting.key.ends_with('/') || setting.key.ends_with('.')) return declined("sysctl: key");
    setting.path = setting.key;
    char separator = setting.key[std::min(setting.key.find_first_of("./"), setting.key.size() - 1)];
    if (separator == '.')
        swap_separators(setting.path);
    else
        swap_separators(setting.key);
    setting.path = "/proc/sys/" + setting.path;
    if (equals == std::string::npos) {
        if (write) return declined("sysctl: no value");
        return setting;
    }
    std::string value = word.substr(equals + 1);
    // sysctl trims or refuses empty values and values with blanks at their ends.
    if (value.empty() || value.find_first_of("\n\t=") != std::string::npos ||
        value.starts_with(' ') || value.ends_with(' '))
        return declined("sysctl: value");
    setting.value = std::move(value);
    return setting;
}

}  // namespace

Parsed<Sysctl> parse_sysctl(Words arguments) {
    static constexpr std::array<OptionSpec, 4> specs = {
        {{'w', "write"}, {'q', "quiet"}, {'n', "values"}, {'e', "ignore"}}};
    auto scanned = scan_options(arguments, specs);
    if (!scanned) return declined("sysctl: " + scanned.error().reason);
    Sysctl result;
    bool write = false;
    for (const auto& option : scanned->options) {
        write |= option.letter == 'w';
        result.quiet |= option.letter == 'q';
        result.values_only |= option.letter == 'n';
        result.ignore_unknown |= option.letter == 'e';
    }
    for (const auto& word : scanned->operands) {
        auto setting = TRY(parse_setting(word, write));
        result.settings.push_back(std::move(setting));
    }
    if (result.settings.empty()) return declined("sysctl: no key");
    return result;
}

}  // namespace nlsh
