// `nlsh qualify`: the installed iproute2 is asked by recordings (shim/replay).
#pragma once

namespace nlsh {

struct QualifyCommand {
    bool quiet = false;
};

// The exit status.
int qualify_and_say(const QualifyCommand& command);

}  // namespace nlsh
