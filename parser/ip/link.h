#pragma once

namespace nlsh {

struct LinkChange {};

}  // namespace nlsh
