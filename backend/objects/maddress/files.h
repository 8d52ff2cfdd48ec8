// The kernel's lists of multicast addresses, as text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nlsh {

struct MulticastAddress {
    uint32_t ifindex = 0;
    std::string device;
    uint8_t family = 0;  // AF_PACKET, AF_INET, AF_INET6
    uint32_t users = 0;
    bool is_static = false;
    std::vector<uint8_t> address;
};

// Each reads a file of /proc/net (dev_mcast, igmp, igmp6) and adds its addresses. Skips lines of
// other forms.
void read_dev_mcast(std::string_view text, std::vector<MulticastAddress>& addresses);
void read_igmp(std::string_view text, std::vector<MulticastAddress>& addresses);
void read_igmp6(std::string_view text, std::vector<MulticastAddress>& addresses);

}  // namespace nlsh
