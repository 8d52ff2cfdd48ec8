#include "shim/engine/disabled.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "shim/wire/wire.h"

namespace nlsh {

std::string kill_switch_file(const std::string& socket_prefix) {
    return socket_prefix.substr(0, socket_prefix.rfind('/') + 1) + "disable";
}

const char* variable_refusal() {
    const char* value = secure_getenv("NLSH_DISABLE");
    const std::string_view disable = value == nullptr ? "" : value;
    return disable.empty() || disable == "0" ? nullptr : "NLSH_DISABLE is set";
}

std::string own_kill_switch() {
    const char* socket = secure_getenv("NLSH_SOCKET");
    const bool given = socket != nullptr && *socket != 0;
    return kill_switch_file(given ? socket : NLSH_DEFAULT_SOCKET);
}

std::string disabled_reason() {
    if (const char* reason = variable_refusal()) return reason;
    return access(own_kill_switch().c_str(), F_OK) == 0 ? kill_switch_is_on : "";
}

const char* outputs_refusal() {
    // If an output is closed, a socket of ours would take its number.
    const bool open = fcntl(STDOUT_FILENO, F_GETFD) >= 0 && fcntl(STDERR_FILENO, F_GETFD) >= 0;
    return open ? nullptr : "stdout or stderr is closed";
}

const char* process_refusal() {
    rlimit size{};
    if (getrlimit(RLIMIT_FSIZE, &size) == 0 && size.rlim_cur != RLIM_INFINITY)
        return "the size of files is limited";  // SIGXFSZ ends the writer
    struct stat here;
    const bool there = stat(".", &here) == 0 && here.st_nlink > 0;
    return there ? nullptr : "the working directory is gone";  // the shell prints a message
}

std::string surroundings_refusal() {
    const char* reason = outputs_refusal();
    if (reason == nullptr) reason = process_refusal();
    return reason == nullptr ? "" : reason;
}

}  // namespace nlsh
