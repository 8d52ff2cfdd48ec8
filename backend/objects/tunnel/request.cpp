#include "backend/objects/tunnel/request.h"

#include <linux/if.h>
#include <linux/if_tunnel.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "backend/descriptor.h"

namespace nlsh {

int tunnel_request(uint32_t request, std::string_view device, std::string& parameters) {
    ifreq message{};
    if (device.size() >= sizeof message.ifr_name) return EINVAL;
    std::memcpy(message.ifr_name, device.data(), device.size());
    // The device's driver decides how much it reads and writes. A tunnel over IPv6 needs more room
    // than an IPv4 tunnel's structure has.
    constexpr size_t room = 256;
    constexpr char unwritten = '\x5a';
    std::string buffer = parameters;
    buffer.resize(parameters.size() + room, request == SIOCGETTUNNEL ? unwritten : '\0');
    message.ifr_data = buffer.data();
    // A device's ioctl works on any socket of the namespace. The server's filter allows AF_UNIX.
    const Descriptor descriptor(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    if (!descriptor || ioctl(descriptor.get(), request, &message) < 0) return errno;
    const bool fits = request != SIOCGETTUNNEL ||
                      buffer.find_first_not_of(unwritten, parameters.size()) == std::string::npos;
    buffer.resize(parameters.size());
    parameters = std::move(buffer);
    return fits ? 0 : EOVERFLOW;
}

}  // namespace nlsh
