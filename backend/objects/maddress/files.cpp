#include "backend/objects/maddress/files.h"

#include <sys/socket.h>

#include <charconv>
#include <cstring>

#include "parser/text.h"

namespace nlsh {
namespace {

uint32_t number(std::string_view word, int base = 10) {
    uint32_t value = 0;
    std::from_chars(word.data(), word.data() + word.size(), value, base);
    return value;
}

std::vector<uint8_t> hex_bytes(std::string_view word) {
    std::vector<uint8_t> bytes;
    for (; word.size() >= 2; word.remove_prefix(2))
        bytes.push_back(static_cast<uint8_t>(number(word.substr(0, 2), 16)));
    return bytes;
}

// Takes INDEX NAME, with which each line about a device begins.
MulticastAddress on_device(std::string_view& line, uint8_t family) {
    MulticastAddress address;
    address.ifindex = number(take_word(line));
    address.device = take_word(line);
    address.family = family;
    return address;
}

void keep(MulticastAddress address, size_t size, std::vector<MulticastAddress>& addresses) {
    if (address.ifindex != 0 && (size == 0 || address.address.size() == size)) {
        addresses.push_back(std::move(address));
    }
}

}  // namespace

// 3    v0              1     0     333300000001: users, users by an ioctl, the address
void read_dev_mcast(std::string_view text, std::vector<MulticastAddress>& addresses) {
    while (!text.empty()) {
        std::string_view line = take_line(text);
        MulticastAddress address = on_device(line, AF_PACKET);
        address.users = number(take_word(line));
        address.is_static = number(take_word(line)) != 0;
        address.address = hex_bytes(take_word(line));
        keep(std::move(address), 0, addresses);
    }
}

// A line for a device, `3 v0 : 1 V3`, and one for each of its groups, which begins with a tab.
void read_igmp(std::string_view text, std::vector<MulticastAddress>& addresses) {
    MulticastAddress address;
    take_line(text);  // titles
    while (!text.empty()) {
        std::string_view line = take_line(text);
        if (!line.starts_with('\t')) {
            address = on_device(line, AF_INET);
            if (address.device.ends_with(':')) address.device.pop_back();
            continue;
        }
        // The file has the address's bytes in the machine's order.
        const uint32_t group = number(take_word(line), 16);
        address.address.resize(sizeof group);
        std::memcpy(address.address.data(), &group, sizeof group);
        address.users = number(take_word(line));
        keep(address, sizeof group, addresses);
    }
}

// 3    v0              ff020000000000000000000000000001     1 0000000C 0: the address, users
void read_igmp6(std::string_view text, std::vector<MulticastAddress>& addresses) {
    while (!text.empty()) {
        std::string_view line = take_line(text);
        MulticastAddress address = on_device(line, AF_INET6);
        address.address = hex_bytes(take_word(line));
        address.users = number(take_word(line));
        keep(std::move(address), 16, addresses);
    }
}

}  // namespace nlsh
