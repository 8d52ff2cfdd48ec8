#pragma once

namespace nlsh {

struct AddressChange {};
struct AddressShow {};
struct AddressFlush {};

}  // namespace nlsh
