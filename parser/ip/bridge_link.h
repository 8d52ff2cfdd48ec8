#pragma once

namespace nlsh {

struct BridgeLinkSet {};
struct BridgeLinkShow {};

}  // namespace nlsh
