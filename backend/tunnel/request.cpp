#include "backend/tunnel/request.h"

#include <linux/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace nlsh {

int tunnel_request(uint32_t request, std::string_view device, std::string& parameters) {
    ifreq message{};
    if (device.size() >= sizeof message.ifr_name) return EINVAL;
    std::memcpy(message.ifr_name, device.data(), device.size());
    message.ifr_data = parameters.data();
    const int descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return errno;
    const int error = ioctl(descriptor, request, &message) < 0 ? errno : 0;
    close(descriptor);
    return error;
}

}  // namespace nlsh
