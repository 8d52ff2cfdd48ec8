// What `nlsh explain` adds about lines that the server and the in-process engine decline.
#pragma once

#include <string>

namespace nlsh {

// Says so if `nlsh -c` answers the line: popen, system and exec then start it.
void explain_spawned(const std::string& line);

}  // namespace nlsh
