#pragma once

namespace nlsh {

struct NeighborChange {};
struct NeighborShow {};
struct NeighborGet {};
struct NeighborFlush {};

}  // namespace nlsh
