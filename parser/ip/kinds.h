// The kinds of links. The backend defines them (backend/objects/link/kinds/kinds.h), and passes
// them to the parser by reference, like the names.
#pragma once

#include <span>
#include <string_view>

namespace nlsh {

struct LinkKind;
struct BridgePortRow;

struct LinkKinds {
    std::span<const LinkKind* const> kinds = {};
    std::span<const BridgePortRow> bridge_ports = {};

    // Null: there is none.
    const LinkKind* find(std::string_view name) const;
    const LinkKind* find_slave(std::string_view master) const;
};

}  // namespace nlsh
