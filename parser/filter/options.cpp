#include "parser/filter/options.h"

#include <algorithm>

#include "parser/text.h"
#include "parser/try.h"

namespace nlsh {
namespace {

template <typename T>
const OptionSpec* find_spec(std::span<const OptionSpec> specs, T wanted, T OptionSpec::* member) {
    const auto found = std::ranges::find(specs, wanted, member);
    return found == specs.end() || wanted == T{} ? nullptr : &*found;
}

}  // namespace

Parsed<ScannedOptions> scan_options(Words arguments, std::span<const OptionSpec> specs) {
    ScannedOptions result;
    size_t next = 0;
    auto value_after = [&](const std::string& word) -> Parsed<std::string> {
        if (next == arguments.size()) return declined("no value after " + word);
        return arguments[next++];
    };
    while (next < arguments.size()) {
        const std::string& word = arguments[next++];
        if (word == "--") {
            for (; next < arguments.size(); next++)
                result.operands.push_back(arguments[next]);
        } else if (word.starts_with("--")) {
            size_t equals = word.find('=');
            const OptionSpec* spec =
                find_spec(specs, std::string_view(word).substr(2, equals - 2), &OptionSpec::name);
            if (!spec) return declined("option " + word);
            if (!spec->has_value && equals != std::string::npos) return declined("option " + word);
            std::string value;
            if (equals != std::string::npos) {
                value = word.substr(equals + 1);
            } else if (spec->has_value) {
                auto following = TRY(value_after(word));
                value = following;
            }
            result.options.push_back({spec->letter, value});
        } else if (word.size() > 1 && word[0] == '-') {
            for (size_t i = 1; i < word.size(); i++) {
                const OptionSpec* spec = find_spec(specs, word[i], &OptionSpec::letter);
                if (!spec) return declined("option " + word);
                if (!spec->has_value) {
                    result.options.push_back({spec->letter, {}});
                    continue;
                }
                std::string value = word.substr(i + 1);
                if (value.empty()) {
                    auto following = TRY(value_after(word));
                    value = following;
                }
                result.options.push_back({spec->letter, value});
                break;
            }
        } else {
            result.operands.push_back(word);
        }
    }
    return result;
}

Parsed<uint64_t> parse_count(std::string_view text) {
    uint64_t value = 0;
    if (text.size() > 18 || !read_number(text, value)) return declined("number");
    return value;
}

}  // namespace nlsh
