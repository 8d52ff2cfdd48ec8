// Which kinds of links there are. The backend has them (backend/objects/link/kinds/kinds.h); a
// parser gets them by reference, as it gets the names.
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
