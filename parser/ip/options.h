// The global options of ip(8) and bridge(8) that are answered natively.
#pragma once

#include <cstdint>
#include <string_view>

#include "parser/ip/traits/traits.h"

namespace nlsh {

// Is told of each field that a show prints, by its key in JSON.
class PrintWatch {
  public:
    virtual ~PrintWatch() = default;
    virtual void printed(std::string_view key) = 0;
};

enum class Tool : uint8_t { ip, bridge };

// automatic: when stdout is a terminal. unsaid: newer builds do the same, unless $NO_COLOR is set.
enum class ColorMode : uint8_t { never, unsaid, automatic, always };

struct Options {
    Tool tool = Tool::ip;
    Traits traits = iproute2_6_1();
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
    ColorMode color = ColorMode::never;
    bool dark = false;            // palette for dark backgrounds; set when the command runs
    bool bright_inet6 = false;    // that palette has a bright blue for IPv6
    bool all = false;             // run in every network namespace
    bool loops = false;           // -l: limits the rounds of a flush
    bool echo = false;            // print the objects that a change has made
    uint8_t timestamp = 0;        // before a monitor's objects; 1: in words, 2: ISO 8601
    PrintWatch* watch = nullptr;  // set when the command runs
    bool batch = false;           // a line of a batch (in ip without NETLINK_GET_STRICT_CHK)
};

}  // namespace nlsh
