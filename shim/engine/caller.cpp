#include "shim/engine/caller.h"

#include <unistd.h>
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>

#include "shim/wire/wire.h"

namespace nlsh {
namespace {

constexpr std::array<std::string_view, 5> locale_variables{"LC_ALL", "LC_CTYPE", "LC_COLLATE",
                                                           "LC_MESSAGES", "LANG"};

// Variables that set the character encoding: the first that isn't empty counts.
constexpr std::array<std::string_view, 3> character_variables{"LC_ALL", "LC_CTYPE", "LANG"};

// Variables that only shells read.
constexpr std::array<std::string_view, 6> shell_variables{"PATH",     "BASH_ENV",    "SHELLOPTS",
                                                          "BASHOPTS", "BASH_COMPAT", "SHLVL"};

// A bash that is nested a thousand times prints a warning.
constexpr std::string_view usual_level = "99";

constexpr std::string_view passed_names[] = {
#define NLSH_NAME(name) name,
    NLSH_VARIABLES(NLSH_NAME)
#undef NLSH_NAME
};

// Most variables differ from ours in their first three letters (or "="): a table excludes nearly
// all of them without comparing names.
constexpr uint8_t start_of(char first, char second, char third) {
    return static_cast<uint8_t>(31 * first + 7 * second + third);
}

// Whether ip and bridge read a variable, or only shells.
enum class Readers : bool { tools, shells };

template <Readers readers>
constexpr bool is_read(std::string_view name) {
    return readers == Readers::shells ||
           std::ranges::find(shell_variables, name) == shell_variables.end();
}

// For each hash of three letters, a bit for each of passed_names.
template <Readers readers>
constexpr auto names_of_start = [] {
    std::array<uint32_t, 256> starts{};
    for (size_t i = 0; i < std::size(passed_names); i++) {
        const std::string_view name = passed_names[i];
        const char third = name.size() > 2 ? name[2] : '=';
        if (is_read<readers>(name)) starts[start_of(name[0], name[1], third)] |= uint32_t{1} << i;
    }
    return starts;
}();

template <Readers readers>
uint32_t names_that_start(const char* entry) {
    if (entry[0] == 0 || entry[1] == 0) return 0;
    return names_of_start<readers>[start_of(entry[0], entry[1], entry[2])];
}

// The length of the name if the entry is "NAME=…" of one of `names`; otherwise 0.
size_t length_of_name(const char* entry, uint32_t names) {
    for (; names != 0; names &= names - 1) {
        const std::string_view name = passed_names[std::countr_zero(names)];
        if (std::strncmp(entry, name.data(), name.size()) == 0 && entry[name.size()] == '=')
            return name.size();
    }
    return 0;
}

bool is_utf8(std::string_view value) {
    return value == "C.UTF-8" || value == "C.utf8";
}

// A locale that sorts by bytes and has English messages.
bool plain_locale(std::string_view value) {
    return value.empty() || value == "C" || value == "POSIX" || is_utf8(value);
}

}  // namespace

bool is_dark_background(std::string_view value) {
    const size_t semicolon = value.rfind(';');
    if (semicolon == value.npos || value.size() != semicolon + 2) return false;
    const char color = value.back();
    return (color >= '0' && color <= '6') || color == '8';
}

namespace {

class Reader {
  public:
    void apply(std::string_view name, std::string_view value) {
        if (name == "PATH" && !value.empty()) {
            caller.path = value;
        } else if (std::ranges::find(locale_variables, name) != locale_variables.end()) {
            caller.plain_locale = caller.plain_locale && plain_locale(value);
            apply_characters(name, value);
        } else if (name == "COLORFGBG") {
            caller.colors.dark = is_dark_background(value);
            caller.colors.light = !caller.colors.dark && value.contains(';');
        } else if (name == "NO_COLOR") {
            caller.colors.none = !value.empty();
        } else if (name == "SHLVL" && value.size() <= usual_level.size()) {
            return;
        } else {
            caller.unsupported = name;
        }
    }

    CallerEnvironment caller;

  private:
    void apply_characters(std::string_view name, std::string_view value) {
        const auto place = std::ranges::find(character_variables, name);
        if (value.empty() || place > decisive_) return;
        decisive_ = place;
        caller.utf8 = is_utf8(value) && place != character_variables.end();
    }

    decltype(character_variables)::const_iterator decisive_ = character_variables.end();
};

}  // namespace

CallerEnvironment caller_environment(std::span<const std::string_view> variables) {
    Reader reader;
    for (const std::string_view variable : variables) {
        const size_t equals = std::min(variable.find('='), variable.size());
        reader.apply(variable.substr(0, equals),
                     variable.substr(std::min(equals + 1, variable.size())));
    }
    return reader.caller;
}

namespace {

// Calls act(name, value) for each of our variables that has an effect.
template <Readers readers, typename Act>
void for_each_own(Act act) {
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const uint32_t names = names_that_start<readers>(*entry);
        const size_t length = names == 0 ? 0 : length_of_name(*entry, names);
        if (length > 0) act(std::string_view(*entry, length), *entry + length + 1);
    }
}

// BASH_FUNC_NAME%%=() { …
void add_function(std::string_view variable, std::vector<std::string>& names) {
    constexpr std::string_view prefix = "BASH_FUNC_";
    if (!variable.starts_with(prefix)) return;
    variable.remove_prefix(prefix.size());
    names.emplace_back(variable.substr(0, variable.find_first_of("%=")));
}

}  // namespace

CallerEnvironment own_environment(bool any_file) {
    Reader reader;
    reader.caller.any_file = any_file;
    reader.caller.own = true;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
        if (**entry == 'B') add_function(*entry, reader.caller.functions);
    for_each_own<Readers::shells>(
        [&](std::string_view name, std::string_view value) { reader.apply(name, value); });
    return std::move(reader.caller);
}

CallerEnvironment own_environment_of_command() {
    Reader reader;
    reader.caller.own = true;
    for_each_own<Readers::tools>(
        [&](std::string_view name, std::string_view value) { reader.apply(name, value); });
    return reader.caller;
}

std::string own_variables() {
    std::string block;
    for_each_own<Readers::shells>([&](std::string_view name, std::string_view value) {
        block.append(name).append(1, '=').append(value).append(1, '\0');
    });
    return block;
}

}  // namespace nlsh
