// ip netns (ip-netns(8)): requests. Names of network namespaces are files below /run/netns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace nlsh {

struct NetnsList {};

struct NetnsListId {
    std::optional<int32_t> target;  // print the numbers as this namespace has them
    std::optional<int32_t> id;      // only this number
};

// ip netns set.
struct NetnsSet {
    std::string name;
    int32_t id = -1;  // -1: the kernel picks one
};

// ip netns add, attach, delete: makes or removes a mount, in the caller's own process only.
struct NetnsFile {
    enum class Verb : uint8_t { add, attach, remove };
    Verb verb = Verb::add;
    std::string name;
    std::string process;  // attach: a process's number, decimal digits
};

struct NetnsIdentify {
    std::string process;  // decimal digits; empty: the caller
};

struct NetnsPids {
    std::string name;
};

}  // namespace nlsh
