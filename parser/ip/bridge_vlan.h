#pragma once

namespace nlsh {

struct VlanChange {};
struct VlanShow {};

}  // namespace nlsh
