// Qualifies the installed builds of iproute2 (qualify.h), and keeps what it finds.
#pragma once

#include <expected>
#include <functional>
#include <string>

#include "shim/replay/qualify.h"

namespace nlsh {

// Whether a tool is installed whose build isn't known (builds/profile.h), qualified or not.
bool unknown_build_installed();
// Whether a tool is installed whose build is neither known nor qualified.
bool qualification_needed();
// Both installed builds, as records count for them.
std::string key_of_builds();

// Both builds, known or not. done: the share that is done. The error is a sentence.
std::expected<Qualification, std::string> qualify_builds(
    const std::function<void(double)>& done = {});

}  // namespace nlsh
