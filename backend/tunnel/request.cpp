#include "backend/tunnel/request.h"

#include <linux/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include "backend/descriptor.h"

namespace nlsh {

int tunnel_request(uint32_t request, std::string_view device, std::string& parameters) {
    ifreq message{};
    if (device.size() >= sizeof message.ifr_name) return EINVAL;
    std::memcpy(message.ifr_name, device.data(), device.size());
    message.ifr_data = parameters.data();
    // Any socket of the namespace does for a device's ioctl; of this family the server may make
    // one.
    const Descriptor descriptor(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    return descriptor && ioctl(descriptor.get(), request, &message) >= 0 ? 0 : errno;
}

}  // namespace nlsh
