#pragma once

namespace nlsh {

struct RouteChange {};

}  // namespace nlsh
