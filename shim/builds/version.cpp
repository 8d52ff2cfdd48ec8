#include "shim/builds/version.h"

#include "shim/builds/reference.h"

namespace nlsh {

const char* own_version() {
    return NLSH_PROGRAM_VERSION;
}

std::string imitated_version() {
    const auto profile = reference_profile(Tool::ip, reference_path(Tool::ip));
    return profile ? profile->version : "unknown";
}

}  // namespace nlsh
