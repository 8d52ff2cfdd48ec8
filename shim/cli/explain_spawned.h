// What `nlsh explain` adds about lines that the server and the in-process engine decline.
#pragma once

#include <string>

namespace nlsh {

// Prints a remark if `nlsh -c` answers the line, because popen, system and exec then start it.
void explain_spawned(const std::string& line);

}  // namespace nlsh
