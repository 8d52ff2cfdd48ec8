#pragma once

namespace nlsh {

struct LinkShow {};

}  // namespace nlsh
