#pragma once

namespace nlsh {

struct FdbChange {};
struct FdbShow {};
struct FdbGet {};

}  // namespace nlsh
