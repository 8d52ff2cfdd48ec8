#include "shim/engine/disabled.h"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "shim/wire/wire.h"

namespace nlsh {

std::string kill_switch_file(const std::string& socket_prefix) {
    return socket_prefix.substr(0, socket_prefix.rfind('/') + 1) + "disable";
}

std::string disabled_reason() {
    const char* value = secure_getenv("NLSH_DISABLE");
    const std::string_view disable = value == nullptr ? "" : value;
    if (!disable.empty() && disable != "0") return "NLSH_DISABLE is set";
    const char* socket = secure_getenv("NLSH_SOCKET");
    const bool given = socket != nullptr && *socket != 0;
    const std::string file = kill_switch_file(given ? socket : NLSH_DEFAULT_SOCKET);
    return access(file.c_str(), F_OK) == 0 ? "the kill switch is on" : "";
}

}  // namespace nlsh
