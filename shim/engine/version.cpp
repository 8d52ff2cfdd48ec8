#include "shim/engine/version.h"

namespace nlsh {

const char* own_version() {
    return NLSH_PROGRAM_VERSION;
}

const char* imitated_version() {
    return "6.1.0";
}

}  // namespace nlsh
