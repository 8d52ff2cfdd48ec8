#pragma once

namespace nlsh {

// Of this build: "0.1.0".
const char* own_version();
// Of the iproute2 whose output it gives.
const char* imitated_version();

}  // namespace nlsh
