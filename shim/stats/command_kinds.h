// The kinds of commands that are counted apart: object and verb, as numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "parser/shell/tree.h"

namespace nlsh {

using CommandKind = uint16_t;

// "ip link set", "bridge vlan add", "filter" … Thread-safe.
class CommandKinds {
  public:
    static constexpr CommandKind chain = 0;  // a line of several commands, or of none
    static constexpr size_t max = 256;

    // The kind of each simple command in a program, in their order.
    std::vector<CommandKind> of(const Program& program);
    std::vector<std::string> names() const;

  private:
    CommandKind number(std::string_view tool, std::string_view what);

    mutable std::mutex mutex_;
    std::map<std::string, CommandKind, std::less<>> numbers_;
    std::vector<std::string> names_{"chain"};
};

}  // namespace nlsh
