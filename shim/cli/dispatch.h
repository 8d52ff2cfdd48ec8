// The `nlsh` program: its commands, and the ip and bridge personalities.
#pragma once

namespace nlsh {

// Returns the process's exit status.
int nlsh_main(int argc, char** argv);

}  // namespace nlsh
