// Qualifies the installed builds of iproute2 (qualify.h), and keeps what it finds.
#pragma once

#include <expected>
#include <functional>
#include <string>

#include "backend/descriptor.h"
#include "shim/builds/record_place.h"
#include "shim/replay/qualify.h"

namespace nlsh {

// Whether a tool is installed whose build isn't known (builds/profile.h), qualified or not.
bool unknown_build_installed();
// Whether a tool is installed whose build is neither known nor qualified.
bool qualification_needed();
// Both installed builds, as records count for them.
std::string key_of_builds();

// Where the record is kept, while no other process qualifies for it.
struct QualifyingPlace {
    RecordPlace place;
    Descriptor lock;
};
// Waits for a process that qualifies already. The error is a sentence.
std::expected<QualifyingPlace, std::string> qualifying_place();

// Both builds, known or not. done: the share that is done. The error is a sentence.
std::expected<Qualification, std::string> qualify_builds(const QualifyingPlace& here,
                                                         const std::function<void(double)>& done);

}  // namespace nlsh
