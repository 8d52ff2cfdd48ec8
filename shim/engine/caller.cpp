#include "shim/engine/caller.h"

#include <unistd.h>
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "shim/wire/wire.h"

namespace nlsh {
namespace {

constexpr std::array<std::string_view, 5> locale_variables{"LC_ALL", "LC_CTYPE", "LC_COLLATE",
                                                           "LC_MESSAGES", "LANG"};

// Which of them decides on characters: the first that isn't empty.
constexpr std::array<std::string_view, 3> character_variables{"LC_ALL", "LC_CTYPE", "LANG"};

// What shells alone read.
constexpr std::array<std::string_view, 6> shell_variables{"PATH",     "BASH_ENV",    "SHELLOPTS",
                                                          "BASHOPTS", "BASH_COMPAT", "SHLVL"};

// A bash that is nested a thousand times says so.
constexpr std::string_view usual_level = "99";

constexpr std::string_view passed_names[] = {
#define NLSH_NAME(name) name,
    NLSH_VARIABLES(NLSH_NAME)
#undef NLSH_NAME
};

// Most of an environment's names differ from ours in the first two letters: 64 bits tell of nearly
// all that do, without a look at any name.
constexpr uint64_t pair_bit(char first, char second) {
    const unsigned a = static_cast<unsigned char>(first), b = static_cast<unsigned char>(second);
    return uint64_t{1} << ((7 * a + b) % 64);
}

// Of the variables that ip and bridge read themselves, or that shells do, too.
enum class Readers : bool { tools, shells };

template <Readers readers>
constexpr bool is_read(std::string_view name) {
    const auto is = [name](std::string_view each) { return each == name; };
    return std::ranges::any_of(passed_names, is) &&
           (readers == Readers::shells || std::ranges::none_of(shell_variables, is));
}

template <Readers readers>
constexpr uint64_t read_pairs = [] {
    uint64_t pairs = 0;
    for (const std::string_view name : passed_names)
        if (is_read<readers>(name)) pairs |= pair_bit(name[0], name[1]);
    return pairs;
}();

template <Readers readers>
bool may_be_read(const char* entry) {
    return *entry != 0 && (read_pairs<readers> & pair_bit(entry[0], entry[1])) != 0;
}

bool is_utf8(std::string_view value) {
    return value == "C.UTF-8" || value == "C.utf8";
}

// Bytes sort as bytes, messages are English.
bool plain_locale(std::string_view value) {
    return value.empty() || value == "C" || value == "POSIX" || is_utf8(value);
}

}  // namespace

bool is_dark_background(std::string_view value) {
    const size_t semicolon = value.rfind(';');
    if (semicolon == value.npos || value.size() < semicolon + 2) return false;
    const char color = value[semicolon + 1];
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

// Calls act(name, value) for each of our variables that decides anything.
template <Readers readers, typename Act>
void for_each_own(Act act) {
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        if (!may_be_read<readers>(*entry)) continue;
        const std::string_view variable(*entry);
        const size_t equals = variable.find('=');
        if (equals == variable.npos) continue;
        const std::string_view name = variable.substr(0, equals);
        if (is_read<readers>(name)) act(name, variable.substr(equals + 1));
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
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
        if (**entry == 'B') add_function(*entry, reader.caller.functions);
    for_each_own<Readers::shells>(
        [&](std::string_view name, std::string_view value) { reader.apply(name, value); });
    return reader.caller;
}

CallerEnvironment own_environment_of_command() {
    Reader reader;
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
