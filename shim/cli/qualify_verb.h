// `nlsh qualify`: the installed iproute2 is asked by recordings (shim/replay).
#pragma once

namespace nlsh {

struct QualifyCommand {
    bool quiet = false;
    bool if_needed = false;  // nothing is done if the builds are known or qualified
};

// The exit status.
int qualify_and_say(const QualifyCommand& command);

}  // namespace nlsh
