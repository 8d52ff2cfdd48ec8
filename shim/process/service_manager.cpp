#include "shim/process/service_manager.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "parser/text.h"

namespace nlsh {
namespace {

constexpr int first_inherited = 3;  // SD_LISTEN_FDS_START
constexpr int inherited_max = 1024;

// A variable's decimal number; 0: there is none.
int64_t number(const char* name) {
    const char* text = getenv(name);
    if (text == nullptr) return 0;
    int64_t value = 0;
    return read_number(text, value) ? value : 0;
}

}  // namespace

std::vector<Descriptor> inherited_sockets() {
    std::vector<Descriptor> sockets;
    const int64_t count = number("LISTEN_FDS");
    if (number("LISTEN_PID") == getpid() && count <= inherited_max) {
        for (int i = 0; i < count; ++i) {
            const int socket = first_inherited + i;
            if (fcntl(socket, F_SETFD, FD_CLOEXEC) == 0) sockets.emplace_back(socket);
        }
    }
    for (const char* name : {"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"})
        unsetenv(name);
    return sockets;
}

std::chrono::microseconds watchdog_interval() {
    const int64_t process = number("WATCHDOG_PID");
    if (process != 0 && process != getpid()) return {};
    return std::chrono::microseconds(number("WATCHDOG_USEC"));
}

void notify_manager(std::string_view state) {
    const char* path = getenv("NOTIFY_SOCKET");
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path == nullptr || strlen(path) >= sizeof address.sun_path) return;
    strcpy(address.sun_path, path);
    if (path[0] == '@') address.sun_path[0] = '\0';  // an abstract name
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + strlen(path));
    const Descriptor socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    if (!socket) return;
    sendto(socket.get(), state.data(), state.size(), MSG_NOSIGNAL,
           reinterpret_cast<const sockaddr*>(&address), size);
}

}  // namespace nlsh
