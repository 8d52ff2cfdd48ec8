// brctl addbr|delbr BRIDGE, brctl addif|delif BRIDGE PORT…
#include <array>
#include <utility>

#include "parser/shell/grammar.h"

namespace nlsh {
namespace {

constexpr std::array<std::pair<std::string_view, BrctlVerb>, 4> verbs = {
    {{"addbr", BrctlVerb::addbr},
     {"delbr", BrctlVerb::delbr},
     {"addif", BrctlVerb::addif},
     {"delif", BrctlVerb::delif}}};

// brctl cuts longer names, and may find another device.
bool plain_name(std::string_view name) {
    return !name.empty() && name.size() < 16 && name[0] != '-';
}

}  // namespace

Parsed<Brctl> parse_brctl(Words arguments) {
    for (const auto& [name, verb] : verbs) {
        if (arguments.empty() || arguments[0] != name) continue;
        Brctl result{verb, {}, {}};
        bool takes_ports = verb == BrctlVerb::addif || verb == BrctlVerb::delif;
        // brctl ignores words after a bridge's name. Such lines fall back.
        if (takes_ports ? arguments.size() < 3 : arguments.size() != 2)
            return declined("brctl: usage");
        result.bridge = arguments[1];
        result.ports.assign(arguments.begin() + 2, arguments.end());
        for (const auto& word : arguments.subspan(1))
            if (!plain_name(word)) return declined("brctl: name");
        return result;
    }
    return declined("brctl: verb");
}

}  // namespace nlsh
