// `nlsh doctor`: checks the installation and suggests fixes.
#pragma once

#include <string>
#include <vector>

namespace nlsh {

struct DoctorCommand {
    std::string socket_prefix;
    bool json = false;
    std::vector<std::string> targets;  // programs and processes to check
};

// 0: no check has failed; 1 otherwise. Warnings don't count.
int doctor(const DoctorCommand& command);

}  // namespace nlsh
