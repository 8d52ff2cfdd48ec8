#pragma once

namespace nlsh {

struct RouteShow {};
struct RouteGet {};

}  // namespace nlsh
