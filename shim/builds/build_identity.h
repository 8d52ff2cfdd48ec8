// Identifies a build of iproute2 by its file, without running it.
#pragma once

#include <sys/types.h>

#include <ctime>
#include <optional>
#include <string>

namespace nlsh {

struct BuildIdentity {
    std::string build_id;  // the linker's note, in hexadecimal; empty: there is none
    off_t size = 0;
    timespec modified{};
};

// Makes one small read. Nothing: it isn't an executable for this machine.
std::optional<BuildIdentity> identify(const std::string& path);

}  // namespace nlsh
