// `nlsh doctor`: is all in place, and what to do where it isn't.
#pragma once

#include <string>
#include <vector>

namespace nlsh {

struct DoctorCommand {
    std::string socket_prefix;
    bool json = false;
    std::vector<std::string> targets;  // programs and processes that nlsh is meant for
};

// 0: nothing has failed; 1 otherwise. Warnings don't count.
int doctor(const DoctorCommand& command);

}  // namespace nlsh
