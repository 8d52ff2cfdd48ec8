// Which build of iproute2 a file is, read from the file itself: nothing is run.
#pragma once

#include <sys/types.h>

#include <ctime>
#include <optional>
#include <string>

namespace nlsh {

struct BuildIdentity {
    std::string build_id;  // of the linker's note, in hexadecimal; empty: there is none
    off_t size = 0;
    timespec modified{};
};

// One small read. Nothing: it isn't an executable for this machine.
std::optional<BuildIdentity> identify(const std::string& path);

}  // namespace nlsh
