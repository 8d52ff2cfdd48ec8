#pragma once

namespace nlsh {

struct RuleChange {};
struct RuleShow {};

}  // namespace nlsh
