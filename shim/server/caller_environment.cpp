#include "shim/server/caller_environment.h"

#include <algorithm>
#include <array>

namespace nlsh {
namespace {

constexpr std::array<std::string_view, 5> locale{"LC_ALL", "LC_CTYPE", "LC_COLLATE", "LC_MESSAGES",
                                                 "LANG"};

// Bytes sort as bytes, messages are English.
bool plain_locale(std::string_view value) {
    return value.empty() || value == "C" || value == "POSIX" || value == "C.UTF-8" ||
           value == "C.utf8";
}

}  // namespace

CallerEnvironment caller_environment(std::span<const std::string_view> variables,
                                     std::string_view command) {
    CallerEnvironment caller;
    // iproute2 and dash never call setlocale; the filters in a pipeline do.
    const bool filters = command.find('|') != std::string_view::npos;
    for (const std::string_view variable : variables) {
        const size_t equals = variable.find('=');
        const std::string_view name = variable.substr(0, equals);
        const std::string_view value = variable.substr(equals + 1);
        if (name == "PATH" && !value.empty()) {
            caller.path = value;
        } else if (std::ranges::find(locale, name) == locale.end() ||
                   (filters && !plain_locale(value))) {
            caller.unsupported = name;
        }
    }
    return caller;
}

}  // namespace nlsh
