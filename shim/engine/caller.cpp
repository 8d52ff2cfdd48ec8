#include "shim/engine/caller.h"

#include <array>
#include <cstdlib>
#include <string>

namespace nlsh {

std::span<const std::string_view> unsupported_variables() {
    static constexpr std::array<std::string_view, 9> variables{
        "IP_LIB_DIR",  // plugins of link types
        "HZ",
        "PROC_NET_PSCHED",
        "PROC_ROOT",
        "BASH_ENV",  // read by bash -c
        "SHELLOPTS",
        "BASHOPTS",
        "POSIXLY_CORRECT",  // changes grep, sed, awk, sort …
        "GREP_COLOR",       // grep warns of it
    };
    return variables;
}

CallerEnvironment own_environment() {
    CallerEnvironment environment;
    environment.any_file = true;
    if (const char* path = getenv("PATH")) environment.path = path;
    for (const std::string_view name : unsupported_variables()) {
        if (getenv(std::string(name).c_str()) != nullptr) environment.unsupported = name;
    }
    return environment;
}

}  // namespace nlsh
