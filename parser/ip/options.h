// The global options of ip(8) and bridge(8) that are answered natively.
#pragma once

#include <cstdint>

namespace nlsh {

enum class Tool : uint8_t { ip, bridge };

struct Options {
    Tool tool = Tool::ip;
    uint8_t family = 0;      // AF_*; AF_UNSPEC when none was given
    uint8_t statistics = 0;  // how often -s was given
    uint8_t details = 0;     // how often -d was given
    bool json = false;
    bool pretty = false;
    bool oneline = false;
    bool brief = false;
    bool numeric = false;
    bool human = false;
    bool iec = false;
    bool compress_vlans = false;
    bool color = false;  // only with json, where it has no effect
    bool loops = false;  // -l: limits the rounds of a flush
    bool batch = false;  // a line of `ip -batch`: no NETLINK_GET_STRICT_CHK there (facts, 1.6)
};

}  // namespace nlsh
